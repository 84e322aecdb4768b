/* SPDX-License-Identifier: MIT */
#include "http/print.h"

#include <stdio.h>

void bench_print_heading(const bench_column *columns, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool words = columns[i].decimals == BENCH_WORDS;
        printf(words ? "| %-*s " : "| %*s ", columns[i].width, columns[i].heading);
    }
    printf("|\n");
    for (size_t i = 0; i < n; i++) {
        printf("|-");
        for (int k = 0; k < columns[i].width; k++) {
            printf("-");
        }
        printf(columns[i].decimals == BENCH_WORDS ? "-" : ":");
    }
    printf("|\n");
}

void bench_print_number(const bench_column *column, double v)
{
    if (v < 0) {
        printf("| %*s ", column->width, "-");
    } else {
        printf("| %*.*f ", column->width, column->decimals, v);
    }
}

void bench_print_words(const bench_column *column, const char *text)
{
    printf("| %-*s ", column->width, text != NULL ? text : "-");
}

void bench_print_end(void)
{
    printf("|\n");
    fflush(stdout);
}

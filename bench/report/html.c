/* SPDX-License-Identifier: MIT */
#include "report/html.h"

#include <stdarg.h>
#include <string.h>

static void escape(FILE *out, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        switch (*c) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        case '\'':
            fputs("&#39;", out);
            break;
        default:
            fputc(*c, out);
        }
    }
}

void html_put(FILE *out, const char *format, ...)
{
    char text[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    escape(out, text);
}

const char *html_count(char *buf, double v)
{
    char digits[HTML_NUMBER];
    int n = snprintf(digits, sizeof digits, "%.0f", v < 1e15 ? v : 1e15);
    char *to = buf;
    for (int i = 0; i < n; i++) {
        *to++ = digits[i];
        if (i < n - 1 && (n - 1 - i) % 3 == 0) {
            *to++ = ',';
        }
    }
    *to = '\0';
    return buf;
}

const char *html_time(char *buf, double ns)
{
    static const char *const units[] = {"ns", "µs", "ms", "s"};
    size_t unit = 0;
    while (ns >= 999.5 && unit < 3) {
        ns /= 1000;
        unit++;
    }
    snprintf(buf, HTML_NUMBER, "%.*f %s", ns < 9.995 ? 2 : ns < 99.95 ? 1 : 0, ns, units[unit]);
    return buf;
}

const char *html_times(char *buf, double ratio)
{
    snprintf(buf, HTML_NUMBER, "%.*f×", ratio < 9.995 ? 2 : 1, ratio);
    return buf;
}

const char *html_percent(char *buf, double part)
{
    double v = 100 * part;
    snprintf(buf, HTML_NUMBER, "%.*f\u00a0%%", v < 9.95 ? 1 : 0, v);
    return buf;
}

enum { BAR_HEIGHT = 38, TEXT_AT = 14, BAR_AT = 20, BAR_THICK = 10 };

static void put_bar(FILE *out, const html_bar *bar, size_t i)
{
    size_t top = i * BAR_HEIGHT;
    fprintf(out, "<g class=\"bar t%u\" data-row=\"%zu\" data-value=\"%.10g\" data-field=\"",
            bar->tone, bar->row, bar->number);
    html_put(out, "%s", bar->field);
    if (bar->rival != SIZE_MAX) {
        fprintf(out, "\" data-rival=\"%zu", bar->rival);
    }
    fprintf(out, "\"><text x=\"0\" y=\"%zu\">", top + TEXT_AT);
    html_put(out, "%s", bar->label);
    fprintf(out, "</text><text class=\"value\" x=\"100%%\" y=\"%zu\" text-anchor=\"end\">",
            top + TEXT_AT);
    html_put(out, "%s", bar->value);
    fprintf(out, "</text><rect class=\"track\" x=\"0\" y=\"%zu\" width=\"100%%\" height=\"%d\"/>",
            top + BAR_AT, BAR_THICK);
    fprintf(out, "<rect class=\"length\" x=\"0\" y=\"%zu\" width=\"%.3f%%\" height=\"%d\"/>",
            top + BAR_AT, 100 * bar->part, BAR_THICK);
    if (bar->inner > 0) {
        fprintf(out, "<rect class=\"inner\" x=\"0\" y=\"%zu\" width=\"%.3f%%\" height=\"%d\"/>",
                top + BAR_AT, 100 * bar->part * bar->inner, BAR_THICK);
    }
    fputs("</g>\n", out);
}

void html_chart(FILE *out, unsigned id, const char *title, const char *description,
                const html_bar *bars, size_t n, double mark)
{
    fprintf(out,
            "<svg role=\"img\" aria-labelledby=\"t%u d%u\" width=\"100%%\" height=\"%zu\">"
            "<title id=\"t%u\">",
            id, id, n * BAR_HEIGHT, id);
    html_put(out, "%s", title);
    fprintf(out, "</title><desc id=\"d%u\">", id);
    html_put(out, "%s", description);
    fputs("</desc>\n", out);
    for (size_t i = 0; i < n; i++) {
        put_bar(out, &bars[i], i);
    }
    for (size_t i = 0; i < n && mark >= 0; i++) {
        size_t top = i * BAR_HEIGHT + BAR_AT - 3;
        fprintf(out, "<line class=\"mark\" x1=\"%.3f%%\" x2=\"%.3f%%\" y1=\"%zu\" y2=\"%zu\"/>\n",
                100 * mark, 100 * mark, top, top + BAR_THICK + 6);
    }
    fputs("</svg>\n", out);
}

void html_table(FILE *out, const char *summary, const char *columns)
{
    fputs("<details><summary>", out);
    html_put(out, "%s", summary);
    fputs("</summary><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"", out);
    html_put(out, "%s", summary);
    fputs("\"><table><thead><tr>", out);
    while (*columns != '\0') {
        size_t len = strcspn(columns, "|");
        bool words = *columns == '<';
        fputs(words ? "<th scope=\"col\" class=\"w\">" : "<th scope=\"col\">", out);
        html_put(out, "%.*s", (int)(words ? len - 1 : len), words ? columns + 1 : columns);
        fputs("</th>", out);
        columns += len + (columns[len] == '|');
    }
    fputs("</tr></thead><tbody>\n", out);
}

void html_table_end(FILE *out)
{
    fputs("</tbody></table></div></details>\n", out);
}

void html_cell_text(FILE *out, const char *text)
{
    fputs("<td class=\"w\">", out);
    html_put(out, "%s", text);
    fputs("</td>", out);
}

void html_cell(FILE *out, const char *field, double number, const char *shown)
{
    if (number < 0) {
        fputs("<td>–</td>", out);
        return;
    }
    fputs("<td data-field=\"", out);
    html_put(out, "%s", field);
    fprintf(out, "\" data-value=\"%.10g\">", number);
    html_put(out, "%s", shown);
    fputs("</td>", out);
}

void html_command(FILE *out, const char *command)
{
    fputs("<p class=\"again\">Again: <code>", out);
    html_put(out, "%s", command);
    fputs("</code></p>\n", out);
}

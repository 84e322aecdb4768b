/* SPDX-License-Identifier: MIT */
#include "data.h"
#include "random.h"
#include "telemetry.cw.h"

double bench_data_double(uint64_t *random, uint32_t limit)
{
    /* 14 digits behind the point, the last one not 0; a double holds the divisor exactly. */
    const uint64_t one = UINT64_C(100000000000000);
    uint64_t digits = one + bench_random(random) % (one * (limit - 1));
    digits += digits % 10 == 0;
    return (double)digits / (double)one;
}

static void fill_sensor(telemetry_Sensor *s, uint64_t *random, uint32_t i)
{
    s->sensor_id = UINT64_C(70368744100000) + UINT64_C(7) * i;
    s->timestamp_us = INT64_C(1756598400000000) + INT64_C(1000003) * i;
    s->temperature_celsius = bench_data_double(random, 45);
    s->relative_humidity = bench_data_double(random, 100);
    s->pressure_hpa = 950 + bench_data_double(random, 100);
    s->latitude = bench_data_double(random, 90);
    s->longitude = -bench_data_double(random, 180);
    s->sample_count = 20000 + (int64_t)bench_random_below(random, 900000);
    s->bytes_sent = 1000000 + (int64_t)bench_random_below(random, 900000000);
    s->error_count = 1 + (int64_t)bench_random_below(random, 99);
}

bool bench_data_telemetry(void *message, cw_arena *a, uint32_t n)
{
    telemetry_Readings *readings = message;
    uint64_t random = bench_seed(74295);
    telemetry_Readings_init(readings);
    for (uint32_t i = 0; i < n; i++) {
        telemetry_Sensor *sensor = telemetry_Readings_add_sensors(readings, a);
        if (sensor == NULL) {
            return false;
        }
        fill_sensor(sensor, &random, i);
    }
    return true;
}

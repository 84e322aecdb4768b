/* SPDX-License-Identifier: MIT */
#include "data.h"
#include "wide_record.cw.h"

bool bench_data_wide(void *message, cw_arena *a, uint32_t n)
{
    wide_Record *record = message;
    (void)n;
    wide_Record_init(record);
    record->text_001 = CW_STR("a record of many fields");
    record->total_013 = 91827364;
    record->amount_028 = -40000;
    record->ratio_042 = 0.30000000000000004;
    record->text_056 = CW_STR("middle");
    record->hash_067 = 0xC0FFEE11;
    record->flag_084 = true;
    record->level_090 = 17;
    record->delta_105 = -3;
    record->weight_119 = 2.5f;
    record->total_133 = UINT64_C(1756598400123);
    record->flag_144 = true;
    wide_Label *label = wide_Record_mut_label_150(record, a);
    if (label == NULL) {
        return false;
    }
    label->key = CW_STR("region");
    label->value = CW_STR("eu-west-1");
    return wide_Record_add_counts_082(record, 300, a) && wide_Record_add_counts_082(record, 7, a);
}

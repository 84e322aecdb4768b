/* SPDX-License-Identifier: MIT */
/* The smallest user: encodes one message; linked with order.cw.c and the runtime alone. */
#include <string.h>

#include "order.cw.h"

int main(void)
{
    static const unsigned char expected[] = {0x0a, 0x01, 'S', 0x10, 0x96, 0x01};
    unsigned char buf[16];
    size_t len = 0;
    shop_Item item;
    shop_Item_init(&item);
    item.sku = CW_STR("S");
    item.qty = 150;
    if (shop_Item_encode(&item, buf, sizeof buf, &len, NULL) != CW_OK) {
        return 1;
    }
    return len == sizeof expected && memcmp(buf, expected, len) == 0 ? 0 : 2;
}

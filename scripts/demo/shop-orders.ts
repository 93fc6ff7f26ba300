export type { DemoOrder } from '../../src/sources/samples';
export { shopifyOrder } from '../../src/sources/shopify/shopify.samples';
export { wooOrder } from '../../src/sources/woocommerce/woocommerce.samples';

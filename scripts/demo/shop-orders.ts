export { type DemoOrder, shopifyOrder, wooOrder } from '../../src/cli/send/shop-orders';

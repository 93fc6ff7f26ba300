/** Whether the code runs in a test, where mistakes in it are looked for at a cost that no service pays. */
export const IN_TESTS = process.env['NODE_ENV'] === 'test';

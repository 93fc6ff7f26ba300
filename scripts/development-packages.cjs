/** Whether the compiler is installed: `npm ci --omit=dev` leaves it out. */
exports.isInstalled = () => {
  try {
    require.resolve('@swc/core');
    return true;
  } catch {
    return false;
  }
};

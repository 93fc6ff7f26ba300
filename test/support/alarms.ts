import { Logger } from '@nestjs/common';

/** Keeps what is logged from the terminal. @returns the alarms, as they come */
export function listenForAlarms(): string[] {
  const alarms: string[] = [];
  const quiet = (): void => undefined;
  Logger.overrideLogger({
    log: quiet,
    warn: quiet,
    error: (message: unknown) => {
      const { alarm } = message as { alarm?: string };
      if (alarm !== undefined) alarms.push(alarm);
    },
  });
  return alarms;
}

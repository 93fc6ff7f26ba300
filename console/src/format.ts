import { formatsOf, type Formats } from './formats';
import { useOrganization } from './session';
import { usePreferences } from './preferences';

export function useFormats(): Formats {
  const { timeZone, currency } = useOrganization();
  const { language } = usePreferences();
  return formatsOf(language, timeZone, currency);
}

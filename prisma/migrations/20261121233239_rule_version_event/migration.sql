-- AlterTable
ALTER TABLE "rule_version" ADD COLUMN     "event" TEXT;

-- What was put before was checked: its first line with an event names one that is known.
UPDATE "rule_version" SET "event" = substring("document" from
  '(?n)^[^#\n]*\mevent["'']?[ \t]*:[ \t]*["'']?(order\.(?:created|paid|cancelled|refunded)|customer\.updated)');

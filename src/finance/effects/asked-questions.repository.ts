import type { Transaction } from '../../database/transaction';
import type { Organization } from '../../kernel/organization';
import { Money } from '../../kernel/money';
import type { AttentionInput } from '../api/effects/attention-raise';

/** Something that may be asked, about the books of an organization. */
interface Question {
  readonly organization: Organization;
  readonly input: AttentionInput;
}

/**
 * Whether each question is asked, by what the messages about the order that it names say together: each may tell of one payment
 * or refund alone. One that names none is asked. Of an order of which not all payments are told, its total counts. In the order of the questions.
 */
export async function areAsked(tx: Transaction, questions: readonly Question[]): Promise<boolean[]> {
  if (questions.every(({ input }) => input.unlessPaid === undefined && input.unlessLeftOf === undefined))
    return questions.map(() => true);
  const named = questions.map(({ organization, input }) => {
    const currency = input.currency ?? organization.currency;
    return {
      organization_id: organization.id,
      paid: input.unlessPaid ?? null,
      left_of: input.unlessLeftOf ?? null,
      ...{ currency, minor: Money.parse(input.value ?? '0', currency).minor.toString() },
    };
  });
  const rows = await tx.$queryRaw<{ asked: boolean }[]>`
    select not exists (
        select from source s join money_facts f on f.source_id = s.id and f.key = q.paid
        where s.organization_id = q.organization_id
          and f.total_minor <= (select sum(value::bigint) from jsonb_each_text(f.payments)))
      and (q.left_of is null or exists (
        select from source s join money_facts f on f.source_id = s.id and f.key = q.left_of
        where s.organization_id = q.organization_id and f.currency = q.currency
          and q.minor > greatest(f.total_minor, (select sum(value::bigint) from jsonb_each_text(f.payments)))
            - (select sum(value::bigint) from jsonb_each_text(f.refunds)))) as asked
    from jsonb_array_elements(${JSON.stringify(named)}::jsonb) with ordinality as e(question, place),
      jsonb_to_record(e.question) as q(organization_id uuid, paid text, left_of text, currency text, minor bigint)
    order by e.place`;
  return rows.map(({ asked }) => asked);
}

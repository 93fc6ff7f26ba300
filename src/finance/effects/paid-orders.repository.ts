import type { Transaction } from '../../database/transaction';
import type { AttentionInput } from '../api/effects/attention-raise';
import type { Organization } from '../../kernel/organization';

/** Something that may be asked, about the books of an organization. */
interface Question {
  readonly organization: Organization;
  readonly input: AttentionInput;
}

/**
 * Whether the order that a question names is paid in full, as the messages about it say together: each may tell of one payment
 * alone. One that names none is of no such order. In the order of the questions.
 */
export async function arePaid(tx: Transaction, questions: readonly Question[]): Promise<boolean[]> {
  const named = questions.map(({ organization, input }) => ({
    organization_id: organization.id,
    key: input.unlessPaid ?? null,
  }));
  if (named.every(({ key }) => key === null)) return questions.map(() => false);
  const rows = await tx.$queryRaw<{ paid: boolean }[]>`
    select exists(
      select from source s join money_facts f on f.source_id = s.id and f.key = q.key
      where s.organization_id = q.organization_id
        and f.total_minor <= (select sum(value::bigint) from jsonb_each_text(f.payments))) as paid
    from jsonb_array_elements(${JSON.stringify(named)}::jsonb) with ordinality as e(question, place),
      jsonb_to_record(e.question) as q(organization_id uuid, key text)
    order by e.place`;
  return rows.map(({ paid }) => paid);
}

import type { OpenAPIObject } from '@nestjs/swagger';
import type { XmlRoots } from '../http/reply-form';

/** As much of a schema as matters here. */
interface Schema {
  $ref?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  xml?: { name?: string; wrapped?: boolean };
}

/** What an operation takes or gives, by media type. */
export type Content = Record<string, { schema?: object }>;

const ITEM = 'item';

/**
 * Says how the schemas of an operation look in XML: what the root is called, and that the members of a list
 * are `item` elements within the list's own.
 */
export class XmlHints {
  private readonly seen = new Set<Schema>();

  constructor(private readonly document: OpenAPIObject) {}

  add(roots: XmlRoots, request: Content | undefined, reply: Content | undefined): void {
    this.addTo(roots.request, request);
    this.addTo(roots.reply, reply);
  }

  private addTo(root: string | null, content: Content | undefined): void {
    for (const { schema } of Object.values(content ?? {})) {
      if (!schema || root === null) continue;
      const target = this.resolved(schema);
      target.xml = { ...target.xml, name: root };
      this.describe(target);
    }
  }

  private describe(schema: Schema): void {
    const target = this.resolved(schema);
    if (this.seen.has(target)) return;
    this.seen.add(target);
    if (target.items) {
      // A record that is also a root is called something else in a list.
      target.items.xml = { ...target.items.xml, name: ITEM };
      target.xml = { ...target.xml, wrapped: true };
    }
    const parts = [target.items, ...Object.values(target.properties ?? {}), ...(target.anyOf ?? [])];
    for (const part of parts) if (part) this.describe(part);
  }

  private resolved(schema: Schema): Schema {
    const name = schema.$ref?.split('/').at(-1);
    if (name === undefined) return schema;
    const found = this.document.components?.schemas?.[name];
    if (!found) throw new Error(`there is no schema ${name}`);
    return found;
  }
}

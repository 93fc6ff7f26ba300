import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import { referencePage } from '../../scripts/reference/reference-page';
import { TestService } from '../support/service';

/** A page without what a formatter may change: the width of cells and where lines end. */
function words(text: string): string {
  return text.replace(/-{3,}/g, '---').replace(/\s+/g, ' ').trim();
}

describe('docs/reference.md', () => {
  it('says what the code says; `npm run docs:reference` writes it anew', async () => {
    const service = await TestService.start();
    const { body } = await service.http.get('/openapi.json').expect(200);
    await service.stop();
    const written = readFileSync(join(__dirname, '../../docs/reference.md'), 'utf8');
    expect(words(written)).toBe(words(referencePage(body as OpenAPIObject)));
  });
});

import { Controller, Get, Param } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { OperatorsApi } from '../../http/api';
import { Problem } from '../../kernel/problem';
import { settingsOf } from '../../sources/check-settings';
import type { SourceProvider } from '../../sources/source';
import { SourceProviders } from '../../sources/source-providers';
import { Answers } from '../operation';
import { ProviderList, ProviderView, type SettingView } from './providers.dto';

/** What sources there can be. */
@OperatorsApi('Sources')
@Controller('admin/organizations/:org/providers')
export class ProvidersController {
  constructor(private readonly providers: SourceProviders) {}

  @Get()
  @Answers(ProviderList, 'List the providers, with what can be set on their sources and how to connect them')
  list(): ProviderList {
    return { items: this.providers.all.map(view), after: null };
  }

  @Get(':id')
  @ApiParam({ name: 'id', description: "The provider's id, such as `shopify`" })
  @Answers(ProviderView, 'Show a provider')
  show(@Param('id') id: string): ProviderView {
    const provider = this.providers.find(id);
    if (!provider) throw new Problem('not-found', 'There is no such provider');
    return view(provider);
  }
}

function view(provider: SourceProvider): ProviderView {
  const { id, title, api, hooks, setUp } = provider;
  const shown = Object.entries(settingsOf(provider)).map(
    ([name, { required = false, ...spec }]): [string, SettingView] => [name, { ...spec, required }],
  );
  return {
    id,
    title,
    settings: Object.fromEntries(shown),
    credentials: { ...api?.credentials },
    registersWebhooks: hooks !== undefined,
    setUp: [...setUp],
  };
}

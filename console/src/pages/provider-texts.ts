/**
 * What the API says in English of settings and credentials, in Portuguese. What it says otherwise by now is found no more, and
 * is shown as the API has it.
 */
export const PORTUGUESE: ReadonlyMap<string, string> = new Map([
  [
    'Sales and refunds are left to the shop, which is a source too.',
    'Vendas e estornos são da loja, que também é uma fonte.',
  ],
  [
    'Address of the shop at Shopify, such as https://minhaloja.myshopify.com, https: Ponte asks it every hour for orders of which no webhook came. Nothing else needs it.',
    'Endereço da loja no Shopify, como https://minhaloja.myshopify.com: o Ponte pergunta lá a cada hora por pedidos de que nenhum webhook veio. Nada mais precisa dele.',
  ],
  [
    'Address of the shop, such as https://minhaloja.com.br, https. Its REST API is below it: Ponte registers the webhooks there, and asks it every hour for orders of which no webhook came.',
    'Endereço da loja, como https://minhaloja.com.br. A API REST fica abaixo dele: lá o Ponte registra os webhooks e pergunta a cada hora por pedidos de que nenhum webhook veio.',
  ],
  [
    "Address of the provider's API where it is another than usual, as of a sandbox; https, without a path's last slash.",
    'Endereço da API do provedor quando não é o habitual, como o de um ambiente de testes; https, sem a última barra.',
  ],
  [
    'Address of the shop, with what stands before /rest/V1 in addresses of its API, as https://loja.example.com.',
    'Endereço da loja, com o que vem antes de /rest/V1 nos endereços da API, como https://loja.example.com.',
  ],
  [
    'When the shop asks for a customer’s personal data to be erased, Ponte erases it by itself. false: a person is asked first.',
    'Quando a loja pede que os dados pessoais de um cliente sejam apagados, o Ponte os apaga sozinho. Desmarcado: uma pessoa é perguntada antes.',
  ],
  [
    'Client ID of an app of your own that is installed in the shop and may read orders (read_orders): Shopify’s Dev Dashboard, then Apps, then Settings of the app. Webhooks need none.',
    'Client ID de um aplicativo seu, instalado na loja, que possa ler pedidos (read_orders): no Dev Dashboard do Shopify, Apps, depois Settings do aplicativo. Os webhooks não precisam dele.',
  ],
  [
    'Number of the application (APP ID, client_id), which Minhas aplicações shows.',
    'Número do aplicativo (APP ID, client_id), que Minhas aplicações mostra.',
  ],
  [
    'The client ID of the application at Bling, as Área do Integrador shows it.',
    'O client ID do aplicativo no Bling, como a Área do Integrador mostra.',
  ],
  [
    'Client ID of a credential for the Hotmart API (Ferramentas, then Credenciais Hotmart).',
    'Client ID de uma credencial da API da Hotmart (Ferramentas, depois Credenciais Hotmart).',
  ],
  [
    'The client ID of the application, which iFood’s developer portal shows with its credentials.',
    'O client ID do aplicativo, que o portal do desenvolvedor do iFood mostra com as credenciais.',
  ],
  ['Secret of the same app, from the same page.', 'Segredo do mesmo aplicativo, na mesma página.'],
  [
    'Secret of the application (client_secret), which Minhas aplicações shows.',
    'Segredo do aplicativo (client_secret), que Minhas aplicações mostra.',
  ],
  [
    'The client secret of the application, as Área do Integrador shows it.',
    'O client secret do aplicativo, como a Área do Integrador mostra.',
  ],
  [
    'Client Secret of the same credential for the Hotmart API.',
    'Client Secret da mesma credencial da API da Hotmart.',
  ],
  [
    'The client secret of the same application, the one that also signs its webhooks.',
    'O client secret do mesmo aplicativo, aquele que também assina os webhooks dele.',
  ],
  [
    'Order statuses that mean the money is there without a payment date, separated by commas. Add those of plugins, for example shipped. With a payment date every status is paid, except processing and completed where they are left out here, and partially-paid, partial-payment and deposit where they are not named here.',
    'Status de pedido que significam que o dinheiro entrou mesmo sem data de pagamento, separados por vírgulas. Acrescente os de plugins, por exemplo shipped. Com data de pagamento todo status vale como pago, menos processing e completed quando não estão aqui, e partially-paid, partial-payment e deposit quando não são citados aqui.',
  ],
  [
    'Numbers of the order statuses that mean that the money is there, with commas; 2,3,8,9,10,11 when not set.',
    'Números dos status de pedido que significam que o dinheiro entrou, com vírgulas; vazio: 2,3,8,9,10,11.',
  ],
  [
    'Aliases of the order statuses that mean the money is there, separated by commas. A shop may have statuses of its own: add those that follow a payment.',
    'Apelidos (alias) dos status de pedido que significam que o dinheiro entrou, separados por vírgulas. Uma loja pode ter status próprios: acrescente os que vêm depois de um pagamento.',
  ],
  [
    'Consumer key of the REST API, which begins with ck_: WooCommerce, then Settings, then Advanced, then REST API, then Add key, with the permission Read/Write. With it Ponte registers the webhooks and compares the orders; Read is enough for comparing alone.',
    'Chave do consumidor da API REST, que começa com ck_: WooCommerce, Configurações, Avançado, API REST, Adicionar chave, com a permissão Leitura/Escrita. Com ela o Ponte registra os webhooks e compara os pedidos; só para comparar, Leitura basta.',
  ],
  [
    'Consumer secret of the same key, which begins with cs_. WooCommerce shows it once.',
    'Segredo do consumidor da mesma chave, que começa com cs_. O WooCommerce o mostra uma vez.',
  ],
  [
    'Hash of the store: what stands after stores/ in the API path of the API account, such as abc123.',
    'Hash da loja: o que vem depois de stores/ no API path da conta de API, como abc123.',
  ],
  [
    'Access token of the API account, with the scopes Orders, Order Transactions and Customers, each read-only. With it Ponte registers the webhooks too.',
    'Token de acesso da conta de API, com os escopos Orders, Order Transactions e Customers, só de leitura. Com ele o Ponte também registra os webhooks.',
  ],
  [
    'Access token of an integration of the shop (System, Extensions, Integrations) that may read orders, invoices, credit memos and customers.',
    'Token de acesso de uma integração da loja (System, Extensions, Integrations) que possa ler pedidos, faturas, notas de crédito e clientes.',
  ],
  [
    'Access token of your app in this store, which Nuvemshop gave when the app was installed there; it needs read_orders and read_customers.',
    'Token de acesso do seu aplicativo nesta loja, que a Nuvemshop deu quando ele foi instalado; precisa de read_orders e read_customers.',
  ],
  [
    'Access token of the application’s production credentials, which begins with APP_USR- and can read payments.',
    'Token de acesso das credenciais de produção do aplicativo, que começa com APP_USR- e pode ler pagamentos.',
  ],
  [
    "Books the amounts of orders in the shop's own currency (base_…), for shops that show other currencies and whose gateway takes this one.",
    'Lança os valores dos pedidos na moeda da própria loja (base_…), para lojas que mostram outras moedas e cujo gateway cobra nesta.',
  ],
  [
    "Address of a mirror of Adobe's public keys, where Ponte cannot reach https://static.adobeioevents.com. Whoever runs it can sign events.",
    'Endereço de um espelho das chaves públicas da Adobe, quando o Ponte não alcança https://static.adobeioevents.com. Quem o mantém pode assinar eventos.',
  ],
  [
    'Number of the store (user_id when the app was installed). All stores of an app are signed with one secret and send to one address, which may be that of any of their sources; without this number the source takes what no other one takes.',
    'Número da loja (user_id quando o aplicativo foi instalado). Todas as lojas de um aplicativo são assinadas com um segredo e enviam para um endereço, que pode ser o de qualquer uma das origens; sem este número a origem recebe o que nenhuma outra recebe.',
  ],
  [
    'Number of the store at E-Com Plus, as its panel shows it. Notifications of another store are refused.',
    'Número da loja na E-Com Plus, como o painel mostra. Notificações de outra loja são recusadas.',
  ],
  [
    'Number of the seller at Mercado Livre (user_id, which comes with the first refresh token). Notifications of any other seller are set aside.',
    'Número do vendedor no Mercado Livre (user_id, que vem com o primeiro token de atualização). Notificações de qualquer outro vendedor ficam de lado.',
  ],
  [
    'Identifier of the company at Bling: companyId in its notifications. Notifications of another company are set aside.',
    'Identificador da empresa no Bling: companyId nas notificações dele. Notificações de outra empresa ficam de lado.',
  ],
  [
    'Identifier of the restaurant at iFood (merchantId), a UUID. Events of another restaurant are set aside. Not set: this source takes those of every restaurant of the application.',
    'Identificador do restaurante no iFood (merchantId), um UUID. Eventos de outro restaurante ficam de lado. Vazio: esta origem recebe os de todos os restaurantes do aplicativo.',
  ],
  [
    'Header that shows the access token: authentication, or authorization. Nuvemshop documents both.',
    'Cabeçalho que mostra o token de acesso: authentication ou authorization. A Nuvemshop documenta os dois.',
  ],
  [
    'Name of your app with an address or e-mail, which Nuvemshop wants to see in each request, for example Minha Loja (ti@minhaloja.com.br).',
    'Nome do seu aplicativo com um endereço ou e-mail, que a Nuvemshop quer ver em cada requisição, por exemplo Minha Loja (ti@minhaloja.com.br).',
  ],
  [
    'Aliases of the order statuses that mean all that was paid went back to the buyer, separated by commas.',
    'Apelidos (alias) dos status de pedido que significam que tudo o que foi pago voltou ao comprador, separados por vírgulas.',
  ],
  [
    'Name of the VTEX account, as in the address of its panel: lojaipe in lojaipe.myvtex.com. Notifications of another account are refused.',
    'Nome da conta VTEX, como no endereço do painel: lojaipe em lojaipe.myvtex.com. Notificações de outra conta são recusadas.',
  ],
  [
    'Name of the header that the hook was configured with, whose value is the secret.',
    'Nome do cabeçalho com que o hook foi configurado, cujo valor é o segredo.',
  ],
  [
    'Name of the header that has the token, where the webhook names one (Parâmetro no header); Authorization, after Bearer, when not set.',
    'Nome do cabeçalho que traz o token, quando o webhook nomeia um (Parâmetro no header); vazio: Authorization, depois de Bearer.',
  ],
  [
    'Identifiers of the sellers that are this company, separated by commas: franchises and white-label sellers of its own. An order that another seller delivers asks for a person, because a part of the money is the seller’s.',
    'Identificadores dos vendedores que são esta empresa, separados por vírgulas: franquias e vendedores white label próprios. Um pedido que outro vendedor entrega pede uma pessoa, porque parte do dinheiro é dele.',
  ],
  [
    'The application key (appKey) that VTEX shows under Conta, Chaves de aplicação.',
    'A chave de aplicação (appKey) que a VTEX mostra em Conta, Chaves de aplicação.',
  ],
  [
    'Its token (appToken), which VTEX shows once, when the application key is made.',
    'O token dela (appToken), que a VTEX mostra uma vez, quando a chave de aplicação é criada.',
  ],
  [
    'The authentication ID (My ID) of a user of the store, 24 letters and digits, as its panel shows it.',
    'O ID de autenticação (My ID) de um usuário da loja, 24 letras e algarismos, como o painel mostra.',
  ],
  [
    'The API key of that user, as the panel shows it beside the ID.',
    'A chave de API desse usuário, como o painel mostra ao lado do ID.',
  ],
  [
    'API key of the Asaas account (Integrações, then Chaves de API); reading is enough, unless Ponte is to make the webhook.',
    'Chave de API da conta Asaas (Integrações, depois Chaves de API); leitura basta, a não ser que o Ponte deva criar o webhook.',
  ],
  [
    'The seller delivers, and gets what buyers pay for it: it becomes a part of the sale. Leave it off with Mercado Envios, which keeps it.',
    'O vendedor entrega, e recebe o que os compradores pagam por isso: torna-se parte da venda. Deixe desmarcado com Mercado Envios, que fica com o frete.',
  ],
  [
    'Refresh token that the seller’s authorization gave, which begins with TG-. It is good for one time: Ponte keeps the one that takes its place.',
    'Token de atualização que a autorização do vendedor deu, que começa com TG-. Vale uma vez: o Ponte guarda o que o substitui.',
  ],
  [
    'The refresh token that Bling gave when the company authorised the application. Ponte keeps the newer ones itself.',
    'O token de atualização que o Bling deu quando a empresa autorizou o aplicativo. O Ponte guarda os mais novos sozinho.',
  ],
  [
    'Numbers of the situations, separated by commas, in which an order of this company is paid: all of its money is there. Without them no order is ever paid.',
    'Números das situações, separados por vírgulas, em que um pedido desta empresa está pago: todo o dinheiro entrou. Sem elas nenhum pedido fica pago.',
  ],
  [
    'Situations, separated by commas, in which an order of this company is paid: all of its money is there. Without them no order is ever paid.',
    'Situações, separadas por vírgulas, em que um pedido desta empresa está pago: todo o dinheiro entrou. Sem elas nenhum pedido fica pago.',
  ],
  [
    'Numbers of the situations in which an order is cancelled, separated by commas.',
    'Números das situações em que um pedido está cancelado, separados por vírgulas.',
  ],
  [
    'Numbers of the situations in which an order is no sale of the company, or not yet, separated by commas: it is set aside.',
    'Números das situações em que um pedido não é venda da empresa, ou ainda não é, separados por vírgulas: fica de lado.',
  ],
  [
    'Numbers of sales channels (canais de venda, the loja of an order), separated by commas, whose orders are set aside because the shop is a source of Ponte itself.',
    'Números dos canais de venda (a loja de um pedido), separados por vírgulas, cujos pedidos ficam de lado porque a própria loja é uma origem do Ponte.',
  ],
  [
    'Names or numbers of e-commerces (ecommerce of an order), separated by commas, whose orders are set aside because the shop is a source of Ponte itself.',
    'Nomes ou números de e-commerces (ecommerce de um pedido), separados por vírgulas, cujos pedidos ficam de lado porque a própria loja é uma origem do Ponte.',
  ],
  [
    'CNPJ, or CPF, of the Tiny account. Notifications of another account are refused.',
    'CNPJ, ou CPF, da conta Tiny. Notificações de outra conta são recusadas.',
  ],
  [
    'The token of the API 2.0 (Token API) that Tiny shows in Configurações.',
    'O token da API 2.0 (Token API) que o Tiny mostra em Configurações.',
  ],
  [
    'Whole address that grants access tokens, where it is another than usual; where apiUrl is set and this is not, /security/oauth/token below apiUrl.',
    'Endereço completo que concede tokens de acesso, quando não é o habitual; se apiUrl está preenchido e este não, /security/oauth/token abaixo de apiUrl.',
  ],
  [
    'all: Ponte makes an endpoint with the credential secretKey and finds events that no webhook brought. So it does with withoutSales. Neither set: it does neither.',
    'all: o Ponte cria um endpoint com a credencial secretKey e acha eventos que nenhum webhook trouxe. Com withoutSales também. Sem nenhum dos dois: nem um nem outro.',
  ],
  [
    'Secret key of the account, which begins with sk_, or better a restricted key, rk_, that may write Webhook Endpoints, read Events and do nothing else: Stripe dashboard, Developers, then API keys.',
    'Chave secreta da conta, que começa com sk_, ou melhor, uma chave restrita, rk_, que possa escrever Webhook Endpoints, ler Events e nada mais: painel do Stripe, Developers, API keys.',
  ],
  [
    'Secret key of the account at Pagar.me, which begins with sk_ and can read orders and charges.',
    'Chave secreta da conta no Pagar.me, que começa com sk_ e pode ler pedidos e cobranças.',
  ],
  [
    'E-mail address to which Asaas writes when the webhook that Ponte makes fails; Asaas wants one.',
    'E-mail para o qual o Asaas escreve quando o webhook que o Ponte cria falha; o Asaas exige um.',
  ],
  [
    'Finds payments of the account that no notification brought. Only where every payment with an external_reference is a sale of this source: Mercado Pago does not say which application a payment is of, and those of another one would be booked here too.',
    'Acha pagamentos da conta que nenhuma notificação trouxe. Só quando todo pagamento com external_reference é uma venda desta origem: o Mercado Pago não diz de qual aplicativo é um pagamento, e os de outro seriam lançados aqui também.',
  ],
  [
    'APP KEY of the application in Omie (Portal do Desenvolvedor, then Meus aplicativos). Messages of another application are refused.',
    'APP KEY do aplicativo no Omie (Portal do Desenvolvedor, depois Meus aplicativos). Mensagens de outro aplicativo são recusadas.',
  ],
  [
    'Topics that Omie sends to this source, separated by commas, of which Ponte also asks for what did not come: VendaProduto, Financas.ContaReceber. Not set: nothing is compared. Name none that another source reports: each sale would be booked twice.',
    'Assuntos que o Omie envia a esta origem, separados por vírgulas, dos quais o Ponte também pergunta pelo que não veio: VendaProduto, Financas.ContaReceber. Vazio: nada é comparado. Não nomeie um de que outra origem fala: cada venda seria lançada duas vezes.',
  ],
  [
    'APP SECRET of the application (Portal do Desenvolvedor, then Meus aplicativos); its APP KEY is the setting appKey.',
    'APP SECRET do aplicativo (Portal do Desenvolvedor, depois Meus aplicativos); o APP KEY dele é a configuração appKey.',
  ],
  [
    'Header that holds the signature; X-Hub-Signature-256 when not set.',
    'Cabeçalho que traz a assinatura; vazio: X-Hub-Signature-256.',
  ],
  ['sha256 or sha512.', 'sha256 ou sha512.'],
  ['hex or base64.', 'hex ou base64.'],
  [
    'What stands before the signature in its header, such as v1=; the name of the algorithm and = may stand there without it.',
    'O que vem antes da assinatura no cabeçalho, como v1=; o nome do algoritmo e = podem vir ali sem isto.',
  ],
  [
    'What is signed, with {body}, {timestamp} and {id} for what the request brings, such as {timestamp}.{body}.',
    'O que é assinado, com {body}, {timestamp} e {id} no lugar do que a requisição traz, como {timestamp}.{body}.',
  ],
  [
    'Header that holds the time of signing: seconds or milliseconds since 1970, or ISO 8601 with an offset.',
    'Cabeçalho que traz a hora da assinatura: segundos ou milissegundos desde 1970, ou ISO 8601 com fuso.',
  ],
  [
    'How many seconds the time of signing may be off, before or after.',
    'Quantos segundos a hora da assinatura pode diferir, antes ou depois.',
  ],
  [
    'Header that holds what a message is known by, the same for every try; its content when not set.',
    'Cabeçalho que traz aquilo pelo que uma mensagem é conhecida, o mesmo em cada tentativa; vazio: o conteúdo dela.',
  ],
  [
    'Header that {id} in signed stands for. An event is known by its source and id, whatever it is.',
    'Cabeçalho que {id} representa no que é assinado. Um evento é conhecido pela origem e pelo id, seja qual for.',
  ],
  [
    'Who may send: names that senders give in WebHook-Request-Origin, with commas. Needed where a sender asks before it sends.',
    'Quem pode enviar: nomes que os remetentes dão em WebHook-Request-Origin, com vírgulas. Necessário quando um remetente pergunta antes de enviar.',
  ],
]);

// ESLint's part in guarding the log: Nest's `Logger` takes one object a line, with `msg`, and an error as `err`.
// In another order (pino's), or under another name, the message is dropped and the error goes into the line unread.

const LEVELS = new Set(['log', 'error', 'warn', 'debug', 'verbose', 'fatal']);

const ONE_OBJECT =
  'One object for each log line: { msg, err, … }. Nest drops or mistakes what comes after it.';
const NO_MESSAGE = 'A log line says what happened: give it `msg`, a text.';

const asErr = (name) => `Log an error as \`err\`, which leaves out what it quotes; not as \`${name}\`.`;

/** Whether a value of the type may be an error: what is caught has no type that says so. */
function mayBeError(checker, type) {
  const parts = type.isUnion() ? type.types : [type];
  return parts.some(
    (part) =>
      ['any', 'unknown'].includes(checker.typeToString(part)) ||
      (checker.getPropertyOfType(part, 'message') !== undefined &&
        checker.getPropertyOfType(part, 'name') !== undefined),
  );
}

function isNestLogger(type) {
  const symbol = type.getSymbol();
  const files = symbol?.declarations?.map((declaration) => declaration.getSourceFile().fileName) ?? [];
  return symbol?.name === 'Logger' && files.some((file) => file.includes('/@nestjs/common/'));
}

function isText(checker, type) {
  return checker.typeToString(checker.getBaseTypeOfLiteralType(type)) === 'string';
}

export const logLines = {
  meta: {
    type: 'problem',
    schema: [],
    docs: { description: "require of every line of Nest's Logger one object with a message" },
  },
  create(context) {
    // From typescript-eslint's parser, which reads types (eslint.config.mjs).
    const services = context.sourceCode.parserServices;
    const checker = services.program.getTypeChecker();
    return {
      'CallExpression[callee.type="MemberExpression"]'(node) {
        const { object, property } = node.callee;
        if (!LEVELS.has(property.name) || !isNestLogger(services.getTypeAtLocation(object))) return;
        const [line] = node.arguments;
        if (node.arguments.length !== 1) {
          context.report({ node, message: ONE_OBJECT });
          return;
        }
        const at = services.esTreeNodeToTSNodeMap.get(line);
        const fields = checker.getPropertiesOfType(services.getTypeAtLocation(line));
        const typeOf = (field) => checker.getTypeOfSymbolAtLocation(field, at);
        const message = fields.find(({ name }) => name === 'msg');
        if (message === undefined || !isText(checker, typeOf(message)))
          context.report({ node: line, message: NO_MESSAGE });
        for (const field of fields)
          if (field.name !== 'err' && mayBeError(checker, typeOf(field)))
            context.report({ node: line, message: asErr(field.name) });
      },
    };
  },
};

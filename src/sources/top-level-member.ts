const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * One member of a JSON object without reading what follows it: an order's identifier stands at its front, and this
 * runs for every webhook before it is stored. What it finds may only decide what need not be exact, such as a lane: the
 * rest of the text is not checked, and of a member that comes twice it takes the first.
 * @param name without anything that JSON escapes
 * @returns undefined where the text is no object, lacks the member, or breaks before it; null too is a value
 */
export function topLevelMember(json: Buffer, name: string): unknown {
  const bytes = topLevelBytes(json, name);
  return bytes && valueOf(bytes);
}

/**
 * The elements of the list that a member of a JSON object has, as {@link topLevelElements}.
 * @param name as of {@link topLevelMember}
 * @returns undefined where there is no such member, or it is no list
 */
export function elementsOfMember(json: Buffer, name: string): Buffer[] | undefined {
  const text = topLevelBytes(json, name);
  return text && topLevelElements(text);
}

/**
 * The bytes of one member of a JSON object, as {@link topLevelMember} finds it: for a signature that covers that member
 * alone. Whoever verifies them has to read no others.
 */
export function topLevelBytes(json: Buffer, name: string): Buffer | undefined {
  let at = skipSpace(json, 0);
  if (json[at] !== OPEN_OBJECT) return undefined;
  do {
    at = skipSpace(json, at + 1);
    const keyEnd = json[at] === QUOTE ? endOfText(json, at) : -1;
    if (keyEnd < 0) return undefined;
    const key = json.toString('latin1', at + 1, keyEnd - 1);
    at = skipSpace(json, keyEnd);
    if (json[at] !== COLON) return undefined;
    const from = skipSpace(json, at + 1);
    at = endOfValue(json, from);
    if (key === name || (key.includes('\\') && unescaped(key) === name)) return json.subarray(from, at);
    at = skipSpace(json, at);
  } while (json[at] === COMMA);
  return undefined;
}

/**
 * The elements of a JSON list, to the byte: whoever takes them apart reads each of them losslessly.
 * @returns undefined where the text is no list, or breaks
 */
export function topLevelElements(json: Buffer): Buffer[] | undefined {
  let at = skipSpace(json, 0);
  if (json[at] !== OPEN_LIST) return undefined;
  const elements: Buffer[] = [];
  at = skipSpace(json, at + 1);
  if (json[at] === CLOSE_LIST) return elements;
  for (;;) {
    const from = at;
    const end = endOfValue(json, from);
    if (end === from) return undefined;
    elements.push(json.subarray(from, end));
    at = skipSpace(json, end);
    if (json[at] === CLOSE_LIST) return skipSpace(json, at + 1) === json.length ? elements : undefined;
    if (json[at] !== COMMA) return undefined;
    at = skipSpace(json, at + 1);
  }
}

function valueOf(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString('utf8'));
  } catch {
    return undefined;
  }
}

function unescaped(key: string): unknown {
  return valueOf(Buffer.from(`"${key}"`, 'latin1'));
}

function skipSpace(json: Buffer, from: number): number {
  let at = from;
  for (let byte = json[at]; byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09; byte = json[at])
    at += 1;
  return at;
}

/** @returns where what follows a text begins; -1: it does not end */
function endOfText(json: Buffer, from: number): number {
  for (let at = json.indexOf(QUOTE, from + 1); at >= 0; at = json.indexOf(QUOTE, at + 1)) {
    let escapes = 0;
    while (json[at - 1 - escapes] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return at + 1;
  }
  return -1;
}

/** @returns where what follows a value begins, or the end of what is there */
function endOfValue(json: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) {
      const end = endOfText(json, at);
      if (end < 0) return json.length;
      if (depth === 0) return end;
      at = end - 1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (byte === COMMA && depth === 0) return at;
  }
  return json.length;
}

import libmime from "libmime"

/** A mailbox of an address header. */
export interface MailAddress {
  /** As in the header, without comments, routes and needless quotes. */
  readonly address: string
  /** The display name and the comments, decoded. */
  readonly name: string | null
}

/** Such as `Ada <ada@example.com>`. */
export const spellAddress = ({ address, name }: MailAddress): string =>
  name === null ? address : `${name} <${address}>`

/**
 * The mailboxes of an address header, those of groups too (RFC 5322, 3.4 and 4.4; docs/reference/email.md#addresses).
 * In a header that is not well-formed, everything that looks like an address is one. One pass: linear in the length.
 */
export const readAddresses = (header: string): ReadonlyArray<MailAddress> => {
  const found = mailboxesIn(header)
  if (found.length > 0) return found
  // Some programs encode the whole header.
  const decoded = decodeHeader(header)
  const inside = decoded === header ? [] : mailboxesIn(decoded)
  if (inside.length > 0) return inside
  return decoded.split(/[\s<>()",;:]+/).flatMap((text) => {
    const address = addressIn(text)
    return address === null ? [] : [{ address, name: null }]
  })
}

/** A part of a mailbox outside of its angle brackets. */
interface Token {
  readonly isComment: boolean
  readonly text: string
  /** As in the header. */
  readonly raw: string
  /** Whether it follows the one before without a space. */
  readonly isGlued: boolean
}

/** Programs write semicolons too. In brackets, only the servers of a route are separated. */
const separators = new Set([",", ";"])
const special = /[\s()<>",:;]/

const mailboxesIn = (header: string): ReadonlyArray<MailAddress> => {
  const found: Array<MailAddress> = []
  let tokens: Array<Token> = []
  let address: string | null = null
  let inBrackets = false
  /** Whether what stands in brackets begins with a route. */
  let isRoute = false
  let isGlued = false
  /** Whether the mailbox has an `@` outside of brackets. */
  let hasAt = false
  /** What has begun once and did not end is a usual character from there on: no part is read twice. */
  const ends = { '"': true, "(": true }

  const endMailbox = () => {
    const mailbox = mailboxOf(tokens, address)
    if (mailbox !== null) found.push(mailbox)
    tokens = []
    address = null
    inBrackets = false
    hasAt = false
  }
  const add = (isComment: boolean, text: string, raw: string) => {
    if (inBrackets) {
      isRoute ||= address === "" && raw.startsWith("@")
      address = isComment ? address : `${address}${raw}`
    } else tokens.push({ isComment, text, raw, isGlued: isGlued && !isComment })
    hasAt ||= !isComment && text.includes("@")
    isGlued = !isComment
  }

  for (let at = 0; at < header.length; ) {
    const character = header[at] as string
    const delimited =
      (character === '"' || character === "(") && ends[character] ? delimitedAt(header, at, character) : undefined
    if (delimited === null) ends[character as keyof typeof ends] = false
    if (delimited != null) {
      add(character === "(", delimited.text, header.slice(at, delimited.end))
      at = delimited.end
      continue
    }
    at += 1
    if (/\s/.test(character)) isGlued = false
    else if (character === "<") {
      if (address !== null && !inBrackets) endMailbox()
      address = ""
      inBrackets = true
      isRoute = false
    } else if (character === ">") inBrackets = false
    else if (separators.has(character) && !(inBrackets && isRoute)) endMailbox()
    // The name of a group.
    else if (character === ":" && address === null && !hasAt) tokens = []
    else if (character !== '"') {
      const start = at - 1
      while (at < header.length && !special.test(header[at] as string)) at += 1
      const text = header.slice(start, at)
      add(false, text, text)
    }
  }
  endMailbox()
  return found
}

/** A quoted string, or a comment with those in it. Null if it does not end. */
const delimitedAt = (
  header: string,
  start: number,
  opening: string
): { readonly text: string; readonly end: number } | null => {
  const closing = opening === "(" ? ")" : '"'
  let text = ""
  let depth = 0
  for (let at = start; at < header.length; at += 1) {
    const character = header[at] as string
    if (character === "\\" && at + 1 < header.length) {
      at += 1
      text += header[at]
    } else if (character === closing && depth > 0) {
      depth -= 1
      if (depth === 0) return { text, end: at + 1 }
      text += character
    } else if (character === opening) {
      depth += 1
      if (depth > 1) text += character
    } else text += character
  }
  return null
}

const mailboxOf = (tokens: ReadonlyArray<Token>, bracketed: string | null): MailAddress | null => {
  const comments = tokens.filter(({ isComment }) => isComment)
  const given = bracketed === null ? null : addressIn(bracketed)
  if (given !== null) return { address: given, name: nameOf(tokens) }
  const parts = joined(tokens.filter(({ isComment }) => !isComment))
  const place = parts.findLastIndex((part) => addressIn(part) !== null)
  const address = addressIn(parts[place] ?? "")
  if (address === null) return null
  const others = parts.filter((_part, at) => at !== place).map((text) => ({ isComment: false, text, raw: text }))
  return { address, name: nameOf([...others, ...comments]) }
}

/** The texts between spaces. Spaces around `@` and `.` do not count. */
const joined = (tokens: ReadonlyArray<Token>): ReadonlyArray<string> => {
  const parts: Array<Array<string>> = []
  let last = ""
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1]
    // A quoted local part stays quoted.
    const text = next?.isGlued && next.text.startsWith("@") ? token.raw : token.text
    const isOne = token.isGlued || text.startsWith("@") || last.endsWith("@") || text === "." || last === "."
    if (isOne && parts.length > 0) parts.at(-1)?.push(text)
    else parts.push([text])
    last = text
  }
  return parts.map((part) => part.join(""))
}

const nameOf = (tokens: ReadonlyArray<Pick<Token, "isComment" | "text">>): string | null => {
  const hasPhrase = tokens.some(({ isComment }) => !isComment)
  const texts = tokens.map(({ isComment, text }) => (isComment && hasPhrase ? `(${text})` : text))
  // Together: the spaces between encoded words do not count (RFC 2047, 6.2).
  const name = decodeHeader(texts.join(" "))
  return name.replace(/[\s\p{Cc}]+/gu, " ").trim() || null
}

/** The address in the text between angle brackets, or in a word. Null if there is no address. */
const addressIn = (text: string): string | null => {
  const routed = text.startsWith("@") ? text.slice(text.lastIndexOf(":") + 1) : text
  const quoted = routed.startsWith("'") && routed.endsWith("'") ? routed.slice(1, -1) : routed
  const address = quoted.includes("=?") ? decodeHeader(quoted) : quoted
  const place = address.lastIndexOf("@")
  if (place < 1 || !domain.test(address.slice(place + 1))) return null
  const [, local] = /^"([^"\\\s<>()@,;:[\]]+)"$/.exec(address.slice(0, place)) ?? []
  if (local !== undefined) return `${local}${address.slice(place)}`
  // Spaces and delimiters stand in a quoted local part only.
  const isQuoted = address.startsWith('"') && address[place - 1] === '"'
  return !isQuoted && /[\s<>@"(),;:]/.test(address.slice(0, place)) ? null : address
}

const domain = /^([^\s<>@()",;:[\]\\]+|\[[^\s<>[\]]+\])$/

/** Decodes encoded words (RFC 2047). A text that cannot be decoded stays. */
export const decodeHeader = (text: string): string => {
  if (!text.includes("=?")) return text
  try {
    return libmime.decodeWords(text)
  } catch {
    return text
  }
}

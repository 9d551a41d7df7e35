import type { Run } from "../../model/Run.js"

/** The numbers of objects and lists that a double cannot hold, as written, by key. */
const exact = new WeakMap<object, ReadonlyMap<string, string>>()

const none: ReadonlyMap<string, string> = new Map()

/**
 * The numbers directly in an object or a list that were written with more digits than a double holds, as written, by
 * key. Its own values are the nearest doubles.
 */
export const exactNumbersOf = (holder: unknown): ReadonlyMap<string, string> => exact.get(holder as object) ?? none

/** Whether {@link parseJson} found such numbers at any level of the value, or {@link withExactNumbers} says so. */
export const hasExactNumbers = (value: unknown): boolean => exact.has(value as object)

/** Marks a value as one that contains such numbers. */
export const withExactNumbers = <A extends object>(value: A): A => {
  exact.set(value, exactNumbersOf(value))
  return value
}

/** The value as JSON text, with numbers as they were written. Recursive, and slower than `JSON.stringify`. */
export const exactJson = (value: unknown): string => {
  if (!isNested(value)) return JSON.stringify(value) ?? "null"
  const numbers = exactNumbersOf(value)
  const textAt = (key: string): string => numbers.get(key) ?? exactJson(value[key])
  if (Array.isArray(value)) return `[${value.map((_, index) => textAt(`${index}`)).join(",")}]`
  const keys = Object.keys(value).filter((key) => value[key] !== undefined)
  return `{${keys.map((key) => `${JSON.stringify(key)}:${textAt(key)}`).join(",")}}`
}

/** The data of a run with exact numbers. */
export const exactDataOf = ({ data, exactData }: Pick<Run, "data" | "exactData">): Run["data"] =>
  exactData === null ? data : (parseJson(exactData) as Run["data"])

/**
 * Parses JSON text as `JSON.parse` does, and keeps for {@link exactNumbersOf} the numbers that doubles do not hold.
 * Fails as `JSON.parse` does. Recursive where there are such numbers: the nesting must fit the stack.
 */
export const parseJson = (text: string): unknown => {
  const { literals, marked, marker } = mayRound.test(text) ? markNumbers(text) : asIs(text)
  const value: unknown = JSON.parse(marked)
  if (isNested(value) && literals.length > 0) restore(value, marker, literals)
  return value
}

/** Enough digits in a row, or around a decimal point, that a double may not hold the number. */
const mayRound = /[\d.]{16}/

const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

const asIs = (text: string) => ({ marked: text, marker: "", literals: [] as ReadonlyArray<string> })

/**
 * Replaces numbers that doubles do not hold with texts: marker and index. No other text of the JSON begins with the
 * marker, because U+0000 can be written as its escape only.
 */
const markNumbers = (text: string) => {
  let marker = "\\u0000"
  while (text.includes(marker)) marker += marker
  const literals: Array<string> = []
  const parts: Array<string> = []
  let done = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfText(text, at)
    else if (isInNumber(code)) {
      const start = at
      while (isInNumber(text.charCodeAt(at + 1))) at++
      const literal = text.slice(start, at + 1)
      if (!isRounded(literal) || isKey(text, at + 1)) continue
      parts.push(text.slice(done, start), `"${marker}${literals.length}"`)
      literals.push(literal)
      done = at + 1
    }
  }
  parts.push(text.slice(done))
  return { marked: parts.join(""), marker: "\0".repeat(marker.length / "\\u0000".length), literals }
}

const quote = 0x22
const backslash = 0x5c

/** Index of the quote that ends the text that begins at `start`. */
const endOfText = (text: string, start: number): number => {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1
  return at
}

/** Digits, signs, decimal points and the letter of exponents. */
const isInNumber = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2d || code === 0x2e || code === 0x45 || code === 0x65

const isRounded = (literal: string): boolean =>
  literal.length >= 16 && number.test(literal) && String(Number(literal)) !== literal

/** Whether a colon follows. A number in the place of a key stays as it is, so that the text stays malformed. */
const isKey = (text: string, end: number): boolean => {
  let at = end
  while (text.charCodeAt(at) <= space) at++
  return text.charCodeAt(at) === colon
}

/** All white space of JSON is at most this. */
const space = 0x20
const colon = 0x3a

/** Replaces the marks with doubles. Answers whether there are any in the value. */
const restore = (value: Nested, marker: string, literals: ReadonlyArray<string>): boolean => {
  const numbers = new Map<string, string>()
  let found = false
  for (const key of Object.keys(value)) {
    const inner = value[key]
    if (isNested(inner)) {
      if (restore(inner, marker, literals)) found = true
    } else if (typeof inner === "string" && inner.startsWith(marker)) {
      const literal = literals[Number(inner.slice(marker.length))] as string
      numbers.set(key, literal)
      value[key] = Number(literal)
    }
  }
  if (found || numbers.size > 0) exact.set(value, numbers)
  return found || numbers.size > 0
}

interface Nested {
  [key: string]: unknown
}

const isNested = (value: unknown): value is Nested => typeof value === "object" && value !== null

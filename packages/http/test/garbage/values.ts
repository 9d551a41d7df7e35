import { FastCheck as fc } from "effect"

/** JSON text to insert verbatim, for what no JavaScript value serialises to. */
export class Written {
  constructor(
    readonly what: string,
    readonly json: string
  ) {}
  /** Text of a report. */
  toString(): string {
    return `Written(${this.what})`
  }
}

/** Serialises a value that may contain {@link Written} parts. */
export const jsonOf = (value: unknown): string => {
  if (value instanceof Written) return value.json
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  return `{${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}:${jsonOf(inner)}`)
    .join(",")}}`
}

const odd: ReadonlyArray<string> = [
  "",
  " ",
  "\t\r\n",
  "\0",
  "a\0b",
  "\ud800",
  "a\udfff",
  "\udc00\ud800",
  "e\u0301\u0301\u0301",
  "\u0301",
  "\u202egnp.exe",
  "\u2066\u2069\u200b\ufeff",
  "👩‍👩‍👧‍👦🏳️‍🌈",
  "ﷺ",
  "İıßẞſK",
  "\u2028\u2029",
  "\r\nX-Injected: yes",
  "' OR 1=1; DROP TABLE contacts; --",
  `"\\'\`$$;`,
  "%",
  "_",
  "%_%",
  "\\",
  "*",
  "{{1}} {{99999999999999999999}} {{-1}} {{01}}",
  "{{{{1}}}} {{ 1 }} {{data.__proto__}}",
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "null",
  "undefined",
  "NaN",
  "-0",
  "1e999",
  "0x10",
  "９",
  "+4915112345678\n",
  "+０",
  "0049",
  "DE.abcd",
  "a@b.c",
  "a@b@c.d",
  "@",
  "ada@exämple.org",
  "2026-02-30",
  "0000-01-01",
  "9999-12-31T23:59:59.999999999999-23:59",
  "+275760-09-13T00:00:00Z",
  "-000001-01-01",
  "https://",
  "https://[::1",
  "https://[::ffff:127.0.0.1]/",
  "https://127.1/",
  "https://0x7f.1/",
  "https://\ud800.example/",
  "https://user:pass@shop.example/",
  "https://shop.example:99999/",
  "https://xn--/",
  "http://169.254.169.254/latest",
  "javascript:alert(1)",
  "//shop.example",
  "../../etc/passwd",
  "%00%2F%ff",
  "00000000-0000-0000-0000-000000000000",
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
  "0190A1B2-0000-7000-8000-00000000000F",
  "{0190a1b2-0000-7000-8000-00000000000f}"
]

/** Any character of Unicode. */
export const character: fc.Arbitrary<string> = fc
  .oneof(fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((point) => String.fromCodePoint(point))

/** Lengths around every limit of a text, and far beyond. */
const lengths = [2, 3, 11, 41, 65, 101, 128, 256, 512, 513, 998, 1_001, 2_048, 2_049, 4_096, 4_097, 100_000, 100_001]
const long = fc
  .tuple(fc.constantFrom("x", "9", "é", "😀", "\u0301", "ﷺ", "\u202e", "'", "%", "{{1}}"), fc.constantFrom(...lengths))
  .map(([one, length]) => one.repeat(Math.ceil(length / one.length)))

/** Unusual text. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...odd) },
  { weight: 2, arbitrary: fc.string({ unit: character, maxLength: 40 }) },
  { weight: 1, arbitrary: fc.array(fc.nat(0xffff), { maxLength: 12 }).map((units) => String.fromCharCode(...units)) },
  { weight: 2, arbitrary: long }
)

const nested = (what: string, open: string, inside: string, close: string, levels: number) =>
  new Written(`${levels} levels of ${what}`, `${open.repeat(levels)}${inside}${close.repeat(levels)}`)
const many = (count: number, one: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => one(index)).join(",")

const written: ReadonlyArray<Written> = [
  ...["1e999", "-1e999", "-0", "9007199254740993", "-9223372036854775809", "123456789012345678901234567890"].map(
    (number) => new Written(number, number)
  ),
  nested("lists", "[", "", "]", 33),
  nested("lists", "[", "", "]", 10_000),
  nested("objects", `{"a":`, "1", "}", 33),
  nested("objects", `{"a":`, "1", "}", 10_000),
  new Written("own __proto__", `{"__proto__":{"channel":"email"},"constructor":{"prototype":null},"toString":1}`),
  new Written("a key twice", `{"a":1,"a":"2","channel":"email","channel":7}`),
  new Written("a length", `{"0":"x","length":1}`),
  new Written("5,000 keys", `{${many(5_000, (index) => `"k${index}":${index}`)}}`),
  new Written("101 odd keys", `{${many(101, (index) => `"\\u0000${index}":null`)}}`),
  new Written("a key of 100,000 characters", `{"${"k".repeat(100_000)}":1}`),
  new Written("5,000 items", `[${many(5_000, () => `"x"`)}]`),
  new Written("1,000 objects", `[${many(1_000, () => `{"channel":"email","handle":"a@b.c"}`)}]`)
]

/** A value that is invalid for most fields or near a limit. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: oddText },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [{}], [null], { "": "" }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(0, 1, -1, 0.1, 1.5, 2 ** 31, 2 ** 53, 5e-324, Number.MAX_VALUE, -1e300, 1e12 + 1)
  },
  { weight: 3, arbitrary: fc.constantFrom(...written) },
  { weight: 2, arbitrary: fc.array(oddText, { maxLength: 3 }) },
  { weight: 2, arbitrary: fc.dictionary(oddText, oddText, { maxKeys: 3 }) },
  { weight: 1, arbitrary: fc.jsonValue() },
  { weight: 1, arbitrary: fc.uuid() }
)

import { FastCheck as fc } from "effect"
import { character, jsonOf, oddValue } from "./values.js"

const bytes = (text: string) => new Uint8Array(Buffer.from(text))

const odd: ReadonlyArray<Uint8Array> = [
  ...[
    "",
    " ",
    "\0",
    "null",
    "[]",
    `"x"`,
    "0",
    "-",
    "{",
    "}",
    "{}{}",
    "{,}",
    "{'a':1}",
    `{"a":1,}`,
    "{a:1}",
    "NaN",
    "\ufeff{}"
  ],
  `{"a":"\u0001"}`,
  `{"a":"\\ud800\\u0000\\x"}`,
  `{"a":01}`,
  "[".repeat(10_000),
  `${"[".repeat(10_000)}${"]".repeat(10_000)}`,
  `${`{"a":`.repeat(10_000)}1${"}".repeat(10_000)}`,
  `{"a":${"9".repeat(100_000)}}`,
  "a=1&b=2",
  `--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n`,
  "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>"
].map(bytes)
const encodings = [Buffer.from(`{"a":1}`, "utf16le"), Buffer.from([0x7b, 0xff, 0x7d]), Buffer.from([0x1f, 0x8b, 8, 0])]

/** Bodies that are not JSON objects, or barely; `valid` is a valid one. */
export const rawBodies = (valid: string): fc.Arbitrary<Uint8Array> =>
  fc.oneof(
    fc.constantFrom(...odd, ...encodings.map((encoded) => new Uint8Array(encoded))),
    fc.uint8Array({ maxLength: 200 }),
    fc.nat(valid.length).map((end) => bytes(valid.slice(0, end))),
    fc.string({ unit: character, maxLength: 5 }).map((rest) => bytes(`${valid}${rest}`)),
    oddValue.map((value) => bytes(jsonOf(value)))
  )

/** Forms with the fields of a token request and others: invalid values, bad escapes, repetitions. */
export const rawForms: fc.Arbitrary<Uint8Array> = fc
  .array(
    fc.tuple(
      fc.constantFrom("grant_type", "client_id", "client_secret", "scope", "__proto__", "", "a[]"),
      fc.oneof(
        fc.string({ unit: character, maxLength: 30 }).map(encodeURIComponent),
        fc.constantFrom(
          "client_credentials",
          "%",
          "%ff",
          "%00",
          "+",
          "messages.send%20messages.send",
          "x".repeat(100_000)
        )
      )
    ),
    { maxLength: 6 }
  )
  .map((pairs) => bytes(pairs.map(([name, value]) => `${name}=${value}`).join("&")))

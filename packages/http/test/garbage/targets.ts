import { FastCheck as fc } from "effect"
import type { Endpoint } from "./endpoints.js"
import { jsonOf, oddText, oddValue } from "./values.js"

const badEscapes = [
  "%",
  "%0",
  "%zz",
  "%ff%fe",
  "%C0%AF",
  "%ud800",
  "%00",
  "%2F",
  "%2e%2e",
  "%250a",
  "%F0%9F%98%80",
  "+"
]

/** A part of a target: escaped correctly, not at all, or wrongly. */
const escaped: fc.Arbitrary<string> = fc.oneof(
  // Replaces lone surrogates by their replacement character.
  { weight: 3, arbitrary: oddText.map((text) => new URLSearchParams([["", text]]).toString().slice(1)) },
  { weight: 1, arbitrary: oddText.map((text) => text.replace(/[\0-\x20?#&]/g, "")) },
  { weight: 1, arbitrary: fc.array(fc.constantFrom(...badEscapes), { maxLength: 5 }).map((parts) => parts.join("")) }
)

const wholes = [
  "9007199254740993",
  "90071992547409",
  "-1",
  "0",
  "1",
  "1.5",
  "100",
  "101",
  "1e2",
  "+5",
  " 5",
  "0x10",
  "٣"
]

/** Query strings of an endpoint: its parameters and others, with invalid values, some repeated. */
export const oddQueries = ({ query }: Endpoint): fc.Arbitrary<string> => {
  const name =
    query.length === 0
      ? escaped
      : fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...query) }, fc.constant("__proto__"), escaped)
  const value = fc.oneof({ weight: 3, arbitrary: escaped }, fc.constantFrom(...wholes), fc.uuid(), fc.constant("true"))
  const pair = fc.tuple(name, value).map(([one, other]) => `${one}=${other}`)
  const pairs = fc.array(fc.oneof({ weight: 9, arbitrary: pair }, escaped), { maxLength: 5 })
  const very = fc.constantFrom(
    "&",
    "=",
    "?",
    "&&==&",
    "a[]=1&a[b]=2",
    "a=1;b=2",
    "x=1&".repeat(10_000),
    "é".repeat(50_000)
  )
  return fc.oneof({ weight: 12, arbitrary: pairs.map((all) => all.join("&")) }, very)
}

const segments = [
  "",
  ".",
  "..",
  "%2e%2e",
  "%2F",
  "%00",
  "*",
  ";a=b",
  "__proto__",
  "constructor",
  ":id",
  "{id}",
  "a".repeat(50_000)
]
const segment = fc.oneof(fc.constantFrom(...segments), escaped)

/** Paths similar to an existing one, and unknown paths. */
export const oddPaths = (path: string): fc.Arbitrary<string> => {
  const parts = path.split("/")
  const at = fc.nat(parts.length)
  const changed = fc
    .tuple(at, fc.array(segment, { maxLength: 2 }), fc.nat(2))
    .map(([start, others, removed]) => parts.toSpliced(start, removed, ...others).join("/"))
  const whole = fc.constantFrom(
    "",
    "*",
    "//",
    "?",
    "#",
    "http://",
    "http://shop.example",
    `https://shop.example${path}`,
    `/${path}`,
    `${path}/`,
    path.toUpperCase()
  )
  return fc.oneof(
    { weight: 6, arbitrary: changed },
    whole,
    fc.array(segment, { maxLength: 200 }).map((all) => all.join("/"))
  )
}

/** Methods, most of which an endpoint does not have. */
export const oddMethods: fc.Arbitrary<string> = fc.constantFrom(
  "HEAD",
  "OPTIONS",
  "TRACE",
  "PUT",
  "DELETE",
  "PATCH",
  "POST",
  "GET",
  "get",
  "PROPFIND",
  "",
  "__proto__",
  "constructor",
  "A".repeat(5_000)
)

/** Forged cursors: a real one with an invalid part, or invalid as a whole. */
export const forgedCursors = (real: string): fc.Arbitrary<string> => {
  const [version, hash, position]: [unknown, unknown, unknown] = JSON.parse(Buffer.from(real, "base64url").toString())
  const encoded = (value: unknown) => Buffer.from(jsonOf(value)).toString("base64url")
  const places: ReadonlyArray<unknown> = Array.isArray(position) ? position : Object.values(Object(position))
  const moved = fc.tuple(fc.nat(Math.max(0, places.length - 1)), fc.oneof(oddValue, oddMoments)).map(([at, value]) => {
    if (Array.isArray(position)) return position.with(at, value)
    const names = Object.keys(Object(position))
    return names.length === 0 ? value : { ...Object(position), [names[at] ?? ""]: value }
  })
  return fc.oneof(
    { weight: 8, arbitrary: moved.map((place) => encoded([version, hash, place])) },
    oddValue.map((place) => encoded([version, hash, place])),
    oddValue.map(encoded),
    fc.nat(real.length).map((end) => real.slice(0, end)),
    oddText
  )
}

const oddMoments = fc.constantFrom<unknown>(2 ** 53, -(2 ** 53), 1e18, 1e19, 0.5, 8.64e15 + 1, "9".repeat(30))

import { FastCheck as fc } from "effect"
import { oddText } from "./values.js"

/** Text that transports accept in a header. */
export const headerText: fc.Arbitrary<string> = oddText.map((text) =>
  Buffer.from(text)
    .toString("latin1")
    .replace(/[^ -~\x80-\xff]/g, "")
)

const several = (value: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 5, arbitrary: value }, fc.array(value, { minLength: 2, maxLength: 3 }))
const among = (...values: ReadonlyArray<string>) =>
  several(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...values) }, headerText))

const base64 = (text: string) => Buffer.from(text).toString("base64")

/** Invalid headers, some of them repeated. */
export const oddHeaders: fc.Arbitrary<{ readonly [name: string]: string | ReadonlyArray<string> }> = fc.record(
  {
    authorization: among(
      "",
      "Bearer",
      "Bearer ",
      "Bearer a b",
      "bearer x, Bearer y",
      "Bearer\tx",
      "Basic",
      `Basic ${base64("\0:\0")}`,
      `Basic ${base64(":")}`,
      `Bearer parley_live_${"x".repeat(32)}`,
      `Bearer parley_at_${"é".repeat(32)}`,
      `Bearer ${"x".repeat(100_000)}`,
      "Digest username=x",
      "null"
    ),
    "idempotency-key": among("", " ", ",", "x".repeat(255), "x".repeat(256), "é".repeat(255), "__proto__", "'; --"),
    "content-type": among(
      "",
      "application/json",
      "application/json;charset=utf-16",
      "application/JSON ; x",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "text/plain",
      "application/json, application/json",
      "*/*"
    ),
    "content-encoding": among("gzip", "br", "identity", "x"),
    "content-length": among("-1", "0", "1e9", "99999999999999999999"),
    accept: among("", "text/html", "*/*;q=2", "application/xml"),
    host: among(
      "",
      " ",
      "a b",
      "shop.example:0",
      "shop.example:99999",
      "[::1",
      "a/../b",
      "a?b",
      "a#b",
      "user@host",
      "%00"
    ),
    "x-forwarded-for": among(
      "",
      ",",
      "unknown",
      "1.2.3.4:80",
      "[::1]:99999",
      "::ffff:1.2.3.4",
      "256.1.1.1",
      "1.2.3.4,".repeat(2_000)
    ),
    "x-request-id": among("mine", "\t"),
    "x-http-method-override": among("DELETE"),
    "if-none-match": among("*", `"`, `W/"`, ",,,")
  },
  { requiredKeys: [] }
)

import { FastCheck as fc } from "effect"
import { isJson, type Json } from "../../src/openapi/Json.js"
import type { Endpoint, Field } from "./endpoints.js"
import { oddText, oddValue } from "./values.js"

/** An example of a body and the modifications to it. */
export interface BrokenBody {
  readonly example: Json
  /** Distinguishes names and addresses. */
  readonly unique: number
  readonly breaks: ReadonlyArray<readonly [path: ReadonlyArray<string>, value: unknown]>
}

/** Bodies of an endpoint: valid but for a few fields, which have invalid values, are missing, or are unknown. */
export const brokenBodies = ({ fields, examples }: NonNullable<Endpoint["body"]>): fc.Arbitrary<BrokenBody> => {
  const unknown = fc.tuple(fc.array(oddText, { minLength: 1, maxLength: 1 }), oddValue)
  const known = fc.constantFrom(...fields).chain((field) => fc.tuple(fc.constant(field.path), valueFor(field)))
  return fc.record({
    example: fc.constantFrom(...examples),
    unique: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9_999_999 })),
    breaks: fc.array(fields.length === 0 ? unknown : fc.oneof({ weight: 9, arbitrary: known }, unknown), {
      maxLength: 3
    })
  })
}

/** Value of a field: anything, or something near the limits of its schema. */
const valueFor = ({ schema }: Field): fc.Arbitrary<unknown> => {
  const edges = [
    ...(Array.isArray(schema.enum) ? schema.enum : []),
    ...numbersAround(schema.minimum),
    ...numbersAround(schema.maximum),
    ...(typeof schema.maxLength === "number" && schema.maxLength <= 100_000 ? ["😀".repeat(schema.maxLength)] : [])
  ]
  const absent = fc.constant(undefined)
  return edges.length === 0
    ? fc.oneof({ weight: 12, arbitrary: oddValue }, absent)
    : fc.oneof({ weight: 12, arbitrary: oddValue }, absent, { weight: 4, arbitrary: fc.constantFrom(...edges) })
}

const numbersAround = (bound: unknown): ReadonlyArray<number> =>
  typeof bound === "number" ? [bound - 1, bound, bound + 1, bound + 0.5] : []

/** The modified body; `fitting` adapts an example to an existing workspace. */
export const broken = (
  { example, unique, breaks }: BrokenBody,
  fitting: (example: Json, unique: number) => Json
): unknown => breaks.reduce<unknown>((body, [path, value]) => withField(body, path, value), fitting(example, unique))

const withField = (holder: unknown, [name, ...inner]: ReadonlyArray<string>, value: unknown): unknown => {
  if (name === undefined) return value
  if (Array.isArray(holder) && name === "0") return [withField(holder[0], inner, value), ...holder.slice(1)]
  const present = isJson(holder) ? holder : {}
  const { [name]: before, ...rest } = present
  const after = withField(before, inner, value)
  return after === undefined ? rest : own(rest, name, after)
}

/** Sets a field, including one named `__proto__`. */
const own = (fields: Json, name: string, value: unknown): Json =>
  Object.fromEntries([...Object.entries(fields), [name, value]])

import { ConversationStatus, type Instant, type Job, type Lane, type TableName } from "@parley/core"
import { nullable, type Row } from "@parley/memory"
import { type Column, type Table, tableOf, tables } from "@parley/sql"
import { FastCheck as fc } from "effect"

/** Makes values, as `fc.gen()` does. */
export type Generate = fc.GeneratorValue

/** A whole number from 0 on. */
export const upTo = (generate: Generate, max: number): number => generate(fc.nat, { max })

export const oneOf = <V>(generate: Generate, values: ReadonlyArray<V>): V =>
  values[upTo(generate, values.length - 1)] as V
/** True once in `n` times. */
export const once = (generate: Generate, n: number): boolean => upTo(generate, n - 1) === 0
export const some = <V>(generate: Generate, max: number, make: () => V): ReadonlyArray<V> =>
  Array.from({ length: upTo(generate, max) }, make)

/** The n-th id, of the time n · 1,000 ms. All columns of ids take the same few, so that they refer to each other. */
export const idOf = (n: number): string => {
  const time = (n * 1_000).toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${`${n}`.padStart(12, "0")}`
}
export const anId = (generate: Generate): string => idOf(upTo(generate, 4))
const anyNumber = () => fc.noBias(fc.integer({ min: 5, max: 1_000_000_000 }))
/** An id that no row has. */
export const aFreshId = (generate: Generate): string => idOf(generate(anyNumber))
export const aTime = (generate: Generate): Instant => upTo(generate, 9) * 500

const texts = ["", "a", "b", "ab", "é", "\u{1f600}", "\uffff", "z z"]
export const lanesUsed: ReadonlyArray<Lane> = ["sends", "deliveries", "runs", "parked"]
export const subjects = ["a", "b", "c"]
export const channels = ["whatsapp", "email"]

/** Values of columns that operations interpret. */
const special: { readonly [column: string]: (generate: Generate) => unknown } = {
  "jobs.lane": (generate) => oneOf(generate, lanesUsed),
  "jobs.subject": (generate) => oneOf(generate, subjects),
  "jobs.payload": aPayload,
  "jobs.leaseUntil": (generate) => (once(generate, 3) ? aTime(generate) : 0),
  "jobs.runAt": aTime,
  "jobs.failure": aFailure,
  "contacts.tags": (generate) => generate(fc.subarray, ["VIP", "\u{1f600}"]),
  "contacts.identities": (generate) =>
    generate(fc.subarray, channels).map((channel) => ({ channel, handle: "+1", displayName: null })),
  "conversations.status": (generate) => oneOf(generate, ConversationStatus.literals),
  "messages.status": (generate) => oneOf(generate, ["failed", "queued"]),
  "endpoints.status": (generate) => oneOf(generate, ["active", "disabled"]),
  "endpoints.consecutiveFailures": (generate) => oneOf(generate, [0, 1, 1_000]),
  "deliveries.status": (generate) => oneOf(generate, ["pending", "delivered"])
}

export function aPayload(generate: Generate): Job["payload"] {
  return oneOf(generate, [null, {}, { turn: aTime(generate) }, { turn: null, applicationId: anId(generate) }])
}

export function aFailure(generate: Generate): Job["failure"] {
  return once(generate, 2) ? null : { lane: "runs", count: 1, since: 5, error: "\u201cx\u201d" }
}

export const aValue = (generate: Generate, table: Table, column: Column): unknown => {
  if (nullable[table.name]?.includes(column.name) && once(generate, 3)) return null
  const make = special[`${table.name}.${column.name}`]
  if (make !== undefined) return make(generate)
  switch (column.kind) {
    case "uuid":
      return anId(generate)
    case "text":
      return oneOf(generate, texts)
    case "integer":
      return aTime(generate)
    case "boolean":
      return generate(fc.boolean)
    case "json":
      return oneOf(generate, [{}, [], { a: 1, b: [null, "\u{1f600}"] }, "text", 7])
  }
}

export const aRow = (generate: Generate, name: TableName): Row => {
  const table = tableOf(name)
  const row: { [column: string]: unknown } = {}
  for (const column of table.columns) row[column.name] = aValue(generate, table, column)
  return row
}

export const tableNames: ReadonlyArray<TableName> = tables.map(({ name }) => name)

/** The value as text, the same for equal values. Absent fields are left out. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, field) =>
    field instanceof Map
      ? [...field].sort()
      : typeof field === "object" && field !== null && !Array.isArray(field)
        ? Object.fromEntries(Object.entries(field).sort(([one], [other]) => (one < other ? -1 : 1)))
        : field
  )

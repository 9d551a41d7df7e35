import { ConversationStatus, type Instant, type Job, type Lane, type TableName } from "@parley/core"
import { type Column, type Table, tableOf, tables } from "@parley/sql"
import { FastCheck as fc } from "effect"
import { nullable, type Row } from "../../src/model/storableRow.js"

/** Makes values, as `fc.gen()` does. */
export type Draw = fc.GeneratorValue

/** A whole number from 0 on. */
export const upTo = (draw: Draw, max: number): number => draw(fc.nat, { max })

export const oneOf = <V>(draw: Draw, values: ReadonlyArray<V>): V => values[upTo(draw, values.length - 1)] as V
/** True once in `n` times. */
export const once = (draw: Draw, n: number): boolean => upTo(draw, n - 1) === 0
export const some = <V>(draw: Draw, max: number, make: () => V): ReadonlyArray<V> =>
  Array.from({ length: upTo(draw, max) }, make)

/** The n-th id, of the time n · 1,000 ms. All columns of ids take the same few, so that they refer to each other. */
export const idOf = (n: number): string => {
  const time = (n * 1_000).toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${`${n}`.padStart(12, "0")}`
}
export const anId = (draw: Draw): string => idOf(upTo(draw, 4))
const anyNumber = () => fc.noBias(fc.integer({ min: 5, max: 1_000_000_000 }))
/** An id that no row has. */
export const aFreshId = (draw: Draw): string => idOf(draw(anyNumber))
export const aTime = (draw: Draw): Instant => upTo(draw, 9) * 500

const texts = ["", "a", "b", "ab", "é", "\u{1f600}", "\uffff", "z z"]
export const lanesUsed: ReadonlyArray<Lane> = ["sends", "deliveries", "runs", "parked"]
export const subjects = ["a", "b", "c"]
export const channels = ["whatsapp", "email"]

/** Values of columns that operations interpret. */
const special: { readonly [column: string]: (draw: Draw) => unknown } = {
  "jobs.lane": (draw) => oneOf(draw, lanesUsed),
  "jobs.subject": (draw) => oneOf(draw, subjects),
  "jobs.payload": aPayload,
  "jobs.leaseUntil": (draw) => (once(draw, 3) ? aTime(draw) : 0),
  "jobs.runAt": aTime,
  "jobs.failure": aFailure,
  "contacts.tags": (draw) => draw(fc.subarray, ["VIP", "\u{1f600}"]),
  "contacts.identities": (draw) =>
    draw(fc.subarray, channels).map((channel) => ({ channel, handle: "+1", displayName: null })),
  "conversations.status": (draw) => oneOf(draw, ConversationStatus.literals),
  "messages.status": (draw) => oneOf(draw, ["failed", "queued"]),
  "endpoints.status": (draw) => oneOf(draw, ["active", "disabled"]),
  "endpoints.consecutiveFailures": (draw) => oneOf(draw, [0, 1, 1_000]),
  "deliveries.status": (draw) => oneOf(draw, ["pending", "delivered"])
}

export function aPayload(draw: Draw): Job["payload"] {
  return oneOf(draw, [null, {}, { turn: aTime(draw) }, { turn: null, applicationId: anId(draw) }])
}

export function aFailure(draw: Draw): Job["failure"] {
  return once(draw, 2) ? null : { lane: "runs", count: 1, since: 5, error: "\u201cx\u201d" }
}

export const aValue = (draw: Draw, table: Table, column: Column): unknown => {
  if (nullable[table.name]?.includes(column.name) && once(draw, 3)) return null
  const make = special[`${table.name}.${column.name}`]
  if (make !== undefined) return make(draw)
  switch (column.kind) {
    case "uuid":
      return anId(draw)
    case "text":
      return oneOf(draw, texts)
    case "integer":
      return aTime(draw)
    case "boolean":
      return draw(fc.boolean)
    case "json":
      return oneOf(draw, [{}, [], { a: 1, b: [null, "\u{1f600}"] }, "text", 7])
  }
}

export const aRow = (draw: Draw, name: TableName): Row => {
  const table = tableOf(name)
  const row: { [column: string]: unknown } = {}
  for (const column of table.columns) row[column.name] = aValue(draw, table, column)
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

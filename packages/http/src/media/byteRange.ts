import type { Blob } from "@parley/core"
import { Stream } from "effect"
import { headerOf, type Incoming } from "../server/Incoming.js"

/** Bytes of a file from `start` to `end`, exclusive. */
export interface Range {
  readonly start: number
  readonly end: number
}

/**
 * The requested range of a file (RFC 9110, section 14.2). Null for the whole file: without a `Range` header, with
 * several ranges, with another unit, and with `If-Range`, because files have no validator.
 */
export const rangeOf = (incoming: Incoming, size: number): Range | "unsatisfiable" | null => {
  if (incoming.method !== "GET" || headerOf(incoming, "if-range") !== undefined) return null
  const [, first = "", last = ""] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(headerOf(incoming, "range") ?? "") ?? []
  if (first === "" && last === "") return null
  if (first === "") {
    const length = Math.min(Number(last), size)
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size }
  }
  const start = Number(first)
  if (last !== "" && Number(last) < start) return null
  if (start >= size) return "unsatisfiable"
  return { start, end: last === "" ? size : Math.min(Number(last) + 1, size) }
}

/** The bytes of a range. A store that cannot read parts is read from the beginning to the end of the range. */
export const sliced = ({ bytes, slice }: Blob, { start, end }: Range): Blob["bytes"] =>
  slice?.(start, end) ??
  bytes.pipe(
    Stream.mapAccum(0, (at, chunk) => [at + chunk.length, { at, chunk }] as const),
    Stream.takeUntil(({ at, chunk }) => at + chunk.length >= end),
    Stream.map(({ at, chunk }) => chunk.subarray(Math.max(0, start - at), Math.max(0, end - at))),
    Stream.filter((chunk) => chunk.length > 0)
  )

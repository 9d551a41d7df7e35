import { Context } from "effect"
import type { Instant } from "../model/Instant.js"

/** Generates ids and secrets. Ids are UUIDv7, so that rows created together are adjacent in an index. */
export interface Ids {
  /** Returns a new id that sorts after all ids that this process generated with an earlier `now` (ms). */
  readonly next: (now: Instant) => string
  /** Returns `length` cryptographically random characters of `[0-9A-Za-z]`, for keys and secrets. */
  readonly secret: (length: number) => string
}

export const Ids = Context.GenericTag<Ids>("@parley/core/Ids")

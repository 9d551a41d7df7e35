import type { BusinessEventInput, SendMessageInput } from "@parley/client"

/**
 * A transaction of the caller on Parley's database: a client of `pg`, or anything with its `query`; on SQLite a handle
 * on Parley's file by the driver that Parley uses, `better-sqlite3` or `node:sqlite`. docs/embed.md has adapters for
 * Drizzle and Kysely.
 */
export type CallersTransaction =
  | { readonly query: (text: string, values: Array<unknown>) => PromiseLike<unknown> }
  // biome-ignore lint/suspicious/noExplicitAny: the drivers have overloads that no narrower type fits.
  | { readonly prepare: (text: string) => { readonly run: (...values: Array<any>) => unknown } }

/** A message or a business event to enqueue. */
export type EnqueueRequest = {
  /** Id of the application that sends it. */
  readonly application: string
  /** As of `POST /messages` and `POST /events`, 1 to 255 characters. Default: the id of the request. */
  readonly idempotencyKey?: string | undefined
} & (
  | { readonly send: SendMessageInput; readonly event?: undefined }
  | { readonly event: BusinessEventInput; readonly send?: undefined }
)

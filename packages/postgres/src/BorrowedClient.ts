import { EventEmitter } from "node:events"
import type Pg from "pg"
import { borrow } from "./borrow.js"
import type { CallersPool } from "./CallersPool.js"
import { Cork } from "./Cork.js"
import { queryCall } from "./queryCall.js"
import { typeParsers } from "./typeParsers.js"

/** No timeout, also where the caller's pool has one. */
const noTimeoutMs = 2 ** 31 - 1

/**
 * A client for a `Pool` of `pg` that takes its connection out of a caller's pool, and closes it at its end: settings
 * and prepared statements of Parley never reach the caller.
 */
export const borrowedClientClass = (
  pool: CallersPool,
  options: {
    readonly prepare: boolean
    readonly connectTimeoutMs: number
    readonly statementTimeoutMs: number | undefined
    /** A statement that sets the session; null: none may be set. */
    readonly settings: string | null
  }
): typeof Pg.Client => {
  const { connectTimeoutMs, prepare, settings } = options
  const query_timeout = options.statementTimeoutMs ?? noTimeoutMs

  class BorrowedClient extends EventEmitter {
    private client: Pg.PoolClient | undefined
    private isEnded = false
    private readonly cork = new Cork()
    private readonly forward = (error: Error) => {
      if (this.listenerCount("error") > 0) this.emit("error", error)
    }

    connect(callback: (error?: Error) => void): void {
      borrow(pool, connectTimeoutMs).then((client) => {
        if (this.isEnded) {
          client.release(true)
          return callback(new Error("the pool gave a connection too late"))
        }
        this.client = client
        client.on("error", this.forward)
        if (settings === null) return callback()
        keepSettings(client, settings).then(
          () => callback(),
          (error) => {
            this.end()
            callback(error)
          }
        )
      }, callback)
    }

    // biome-ignore lint/suspicious/noExplicitAny: the overloads of the driver
    query(...given: ReadonlyArray<any>): any {
      const client = this.client
      if (client === undefined) throw new Error("The client is not connected")
      this.cork.hold(client)
      const [config, callback] = queryCall(given, prepare, () => this.end())
      // biome-ignore lint/suspicious/noExplicitAny: the overloads of the driver
      return (Object.getPrototypeOf(client).query as any).call(
        client,
        { ...config, query_timeout, types: typeParsers },
        callback
      )
    }

    end(callback?: () => void): void {
      if (!this.isEnded) {
        this.isEnded = true
        this.client?.off("error", this.forward)
        this.client?.release(true)
      }
      callback?.()
    }

    isConnected(): boolean {
      return this.client !== undefined
    }

    get processID(): number | undefined {
      return (this.client as { readonly processID?: number } | undefined)?.processID
    }

    // The pool closes clients whose connection is lost.
    get _queryable(): boolean {
      return (this.client as { readonly _queryable?: boolean } | undefined)?._queryable !== false
    }

    get _ending(): boolean {
      return this.isEnded || (this.client as { readonly _ending?: boolean } | undefined)?._ending === true
    }
  }
  return BorrowedClient as unknown as typeof Pg.Client
}

/**
 * Sets the session, and again after each statement of the caller: a listener of the pool's event `connect` may still be
 * setting its own `search_path`, since the pool does not wait for it. No statement of Parley comes in between.
 */
const keepSettings = (client: Pg.PoolClient, settings: string): Promise<unknown> => {
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of the driver
  const query: (...given: ReadonlyArray<any>) => any = Object.getPrototypeOf(client).query.bind(client)
  Object.assign(client, {
    query: (...given: ReadonlyArray<unknown>) => {
      const result = query(...given)
      query(settings, () => {})
      return result
    }
  })
  return query(settings)
}

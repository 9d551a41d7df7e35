import { layer as provide } from "@effect/vitest"
import { type Ids, Storage, Wakeup } from "@parley/core"
import { makeTestIds } from "@parley/memory"
import { Context, Effect, Layer, type Scope } from "effect"

/** A storage layer for one database. */
export type StorageLayer = Layer.Layer<Storage | Wakeup, unknown>

/** The storages of two hosts on one database, or the same storage twice if the database supports one host only. */
export interface Hosts {
  readonly one: Storage
  readonly other: Storage
  readonly wakeup: Wakeup
}

const HostsTag = Context.GenericTag<Hosts>("@parley/testkit/Hosts")

/** Creates the database of a suite. */
export type Database = Effect.Effect<StorageLayer, unknown, Scope.Scope>

/** A test on the hosts of the suite, with ids that no other test of the suite uses. */
export type HostTest = (
  title: string,
  body: (hosts: Hosts, ids: Ids) => Effect.Effect<void, unknown, Scope.Scope>
) => void

/** Test timeout in ms, long enough for a busy machine: no test measures time by it. */
export const testTimeoutMs = 120_000

/** Opens a database for the tests of a suite, which share it. */
export const onHosts = (
  title: string,
  database: Database,
  options: { readonly hosts: 1 | 2 },
  suite: (test: HostTest) => void
): void => {
  const layer = Layer.scoped(
    HostsTag,
    Effect.gen(function* () {
      const open = yield* database
      const first = yield* Layer.build(open)
      const second = options.hosts === 2 ? yield* Layer.build(Layer.fresh(open)) : first
      return {
        one: Context.get(first, Storage),
        other: Context.get(second, Storage),
        wakeup: Context.get(first, Wakeup)
      }
    })
  )
  provide(layer, { excludeTestServices: true, timeout: testTimeoutMs })(title, (it) => {
    let seed = 1
    suite((name, body) => {
      const ids = makeTestIds(seed++)
      it.scoped(name, () => Effect.flatMap(HostsTag, (hosts) => body(hosts, ids)), testTimeoutMs)
    })
  })
}

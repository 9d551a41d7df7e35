import cluster from "node:cluster"
import type { Family } from "@parley/core"
import { AllMetrics } from "@parley/host-http"
import type { Settings } from "@parley/host-settings"
import { Deferred, Effect, Layer, Record, Runtime } from "effect"
import type { ToChild, ToParent } from "./messages.js"

const toParent = (message: ToParent): void => {
  process.send?.(message)
}

/** Reports to the parent, if this is one of several processes of a host, that it serves. */
export const reportStarted: Effect.Effect<void> = Effect.sync(() => {
  if (cluster.isWorker) toParent({ parley: "started" })
})

/** Whether this is the process that greets: the only one of its host, or the first. */
export const isFirst = (): boolean => cluster.isPrimary || cluster.worker?.id === 1

/**
 * The settings of one of several processes: its share of the limits that hold for the whole host. Limits of one visitor
 * or address stay, because all connections of an address may reach the same process.
 */
export const settingsOfOneProcess = (settings: Settings): Settings => ({
  ...settings,
  webchat: {
    ...settings.webchat,
    total: Record.map(settings.webchat.total, (limit) => Math.ceil(limit / settings.processes))
  }
})

/** `/metrics` of one of several processes shows those of all. */
export const allMetrics: Layer.Layer<never> = Layer.suspend(() =>
  cluster.isPrimary
    ? Layer.empty
    : Layer.effect(
        AllMetrics,
        Effect.map(Effect.runtime<never>(), (runtime) => {
          const runFork = Runtime.runFork(runtime)
          const pending = new Map<number, Deferred.Deferred<ReadonlyArray<Family>>>()
          let own: Effect.Effect<ReadonlyArray<Family>> = Effect.succeed([])
          let last = 0
          process.on("message", (message: ToChild) => {
            const { id, parley } = message
            if (parley === "request own metrics") {
              runFork(Effect.map(own, (families) => toParent({ parley: "own metrics", id, families })))
            }
            if (parley === "metrics") {
              const answer = pending.get(id)
              pending.delete(id)
              if (answer !== undefined) Deferred.unsafeDone(answer, Effect.succeed(message.families))
            }
          })
          return {
            of: (families) => {
              own = families
              return Effect.flatMap(Deferred.make<ReadonlyArray<Family>>(), (answer) => {
                pending.set(++last, answer)
                toParent({ parley: "request metrics", id: last })
                return Deferred.await(answer)
              })
            }
          }
        })
      )
)

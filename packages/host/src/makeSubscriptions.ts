import { isActive, Subscriptions } from "@parley/core"
import { Effect, ExecutionStrategy, Exit, Scope } from "effect"
import { eventsOf, type OnClosing } from "./eventsOf.js"
import { closedError, type InFlight } from "./InFlight.js"
import { areOptions, makeOptionReader, refuse } from "./OptionReader.js"
import type { Parley } from "./Parley.js"
import { runPromise } from "./runPromise.js"
import type {
  AnyEventHandler,
  AnySubscriptionOptions,
  SubscribedType,
  SubscribedTypes,
  Subscription,
  SubscriptionOptions,
  WorkspaceSubscriptionOptions
} from "./Subscription.js"
import { subscriber } from "./subscriber.js"

const defaultConcurrency = 16
const maxConcurrency = 256
const defaultTimeoutMs = 60_000
const maxTimeoutMs = 86_400_000

/** Subscriptions of this process. They end before the `worker`, whose scope is given. */
export const makeSubscriptions = (
  worker: Scope.CloseableScope,
  { hasWorker, inFlight }: { readonly hasWorker: boolean; readonly inFlight: Pick<InFlight, "accepts" | "addCall"> }
): Effect.Effect<Pick<Parley, "on" | "events">, never, Subscriptions> =>
  Effect.gen(function* () {
    const subscriptions = yield* Subscriptions
    const call = yield* runPromise
    const loops = new Set<() => void>()
    let isClosing = false
    yield* Scope.addFinalizer(
      worker,
      Effect.sync(() => {
        isClosing = true
        for (const end of loops) end()
      })
    )
    const onClosing: OnClosing = (end) => {
      loops.add(end)
      if (isClosing) end()
      return () => loops.delete(end)
    }

    const on = async (
      name: string,
      types: SubscribedTypes<SubscribedType>,
      handler: AnyEventHandler,
      options: AnySubscriptionOptions
    ): Promise<Subscription> => {
      refuse("on", [
        ...(typeof handler === "function" ? [] : ["the handler must be a function"]),
        ...problemsOf(options, optionNames, hasWorker)
      ])
      if (!inFlight.accepts()) throw closedError()
      const { concurrency = defaultConcurrency, from, ordered, timeoutMs = defaultTimeoutMs } = options
      const owner =
        options.workspace === undefined ? { applicationId: options.application } : { workspaceId: options.workspace }
      const scope = await call(Scope.fork(worker, ExecutionStrategy.sequential))
      const endpoint = await call(
        subscriptions
          .subscribe({
            owner,
            name,
            events: typesOf(types),
            since: from?.getTime() ?? null,
            ordered: ordered ?? null,
            concurrency,
            subscriber: subscriber(name, handler, { isStopping: () => !inFlight.accepts(), timeoutMs })
          })
          .pipe(
            Effect.tap((endpoint) => (isActive(endpoint) ? Effect.void : warnOfDisabled(name, endpoint.id))),
            Scope.extend(scope),
            Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
          )
      )
      const stop = () => call(Scope.close(scope, Exit.void))
      return {
        id: endpoint.id,
        status: isActive(endpoint) ? "active" : "disabled",
        stop,
        remove: async () => {
          await stop()
          await inFlight.addCall(() => call(subscriptions.remove(owner, name)))
        }
      }
    }
    return {
      on,
      events: (
        name: string,
        types: SubscribedTypes<SubscribedType>,
        options: Omit<SubscriptionOptions, "concurrency"> | Omit<WorkspaceSubscriptionOptions, "concurrency">
      ): AsyncIterable<never> => {
        refuse("events", problemsOf(options, optionNamesOfLoops, hasWorker))
        return eventsOf((handler) => on(name, types, handler, { ...options, concurrency: 1 }), onClosing)
      }
    }
  })

const warnOfDisabled = (name: string, id: string): Effect.Effect<void> =>
  Effect.logWarning(
    `The subscription ${name} is disabled, and its handler gets no events. Enable it with "parley endpoint enable ${id}"; "parley endpoint recover ${id} --since <time>" delivers what it missed.`
  )

const typesOf = <Type extends SubscribedType>(types: SubscribedTypes<Type>): ReadonlyArray<string> =>
  Array.isArray(types) ? types : [`${types}`]

const optionNamesOfLoops = ["application", "workspace", "from", "ordered", "timeoutMs"]
const optionNames = [...optionNamesOfLoops, "concurrency"]

/** Problems of options, which may come from untyped JavaScript. */
const problemsOf = (options: unknown, names: ReadonlyArray<string>, hasWorker: boolean): ReadonlyArray<string> => {
  if (!areOptions(options)) {
    return ["the last argument must be an object with `application`, the id of an application, or `workspace`"]
  }
  const { application, concurrency, from, ordered, timeoutMs, workspace } = options
  const { known, problems } = makeOptionReader()
  known("", options, names)
  return [
    ...problems,
    ...(hasWorker ? [] : ["this process handles no events: its option `worker` is false"]),
    ...((typeof application === "string") !== (typeof workspace === "string")
      ? []
      : ["`application` must be the id of an application, or `workspace` that of a workspace"]),
    ...(from === undefined || (from instanceof Date && !Number.isNaN(from.getTime())) ? [] : ["`from` must be a Date"]),
    ...(ordered === undefined || ordered === "conversation" ? [] : ['`ordered` must be "conversation"']),
    ...(isWhole(concurrency, maxConcurrency)
      ? []
      : [`\`concurrency\` must be a whole number from 1 to ${maxConcurrency}`]),
    ...(isWhole(timeoutMs, maxTimeoutMs) ? [] : [`\`timeoutMs\` must be a whole number from 1 to ${maxTimeoutMs}`])
  ]
}

const isWhole = (value: unknown, max: number): boolean =>
  value === undefined || (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= max)

import { SandboxProvider } from "@parley/channel-sandbox"
import {
  Administration,
  allowAll,
  ChannelProviders,
  Engine,
  engineSettings,
  type Storage,
  type Wakeup
} from "@parley/core"
import { LogNotifier, MemoryBlobs, NodeHttpSender, UuidIds } from "@parley/node"
import { plainSecretBox } from "@parley/testkit"
import { Cause, Context, Effect, Either, Layer, Logger, Redacted, Runtime } from "effect"
import {
  adminSurface,
  type Interpreter,
  makeInterpreter,
  type Outgoing,
  publicSurface,
  trustedProxies
} from "../../src/index.js"
import { adminToken, type Request } from "./requests.js"
import { type Settled, settle } from "./settle.js"

/** Both interfaces over the engine on a database, with workspaces in it that have two of everything. */
export class World extends Context.Tag("test/World")<
  World,
  {
    readonly interpreter: Interpreter
    /** The one that callers of the public interface belong to. Nothing of it is ever changed by an administrator. */
    readonly own: Settled
    /** Those that administrators change: one for each purpose. */
    readonly other: (purpose: string) => Effect.Effect<Settled>
    readonly send: (request: Request) => Promise<Outgoing<string>>
    /** The causes of what went wrong on our side since this was last asked. */
    readonly causes: () => ReadonlyArray<string>
  }
>() {}

const ports = Layer.mergeAll(
  UuidIds.layer,
  LogNotifier.layer,
  MemoryBlobs.layer,
  allowAll,
  NodeHttpSender.layer(),
  engineSettings({ verdictWait: 0 }),
  Layer.succeed(ChannelProviders, { byKind: new Map([["sandbox", SandboxProvider]]) }),
  plainSecretBox
)

/** Contracts answer nothing but text. */
const withText = ({ body, ...answer }: Outgoing): Outgoing<string> => {
  if (typeof body !== "string") throw new Error("The answer is no text.")
  return { ...answer, body }
}

export const world = <E>(storage: Layer.Layer<Storage | Wakeup, E>): Layer.Layer<World, unknown> => {
  const causes: Array<string> = []
  const logged = Logger.make(({ cause, message }) => {
    causes.push(`${String(message)} ${Cause.pretty(cause)}`)
  })
  const live = Effect.gen(function* () {
    const interpreter = yield* makeInterpreter({
      surfaces: [yield* publicSurface, yield* adminSurface(Redacted.make(adminToken))],
      trustedProxies: Either.getOrThrow(trustedProxies(["10.0.0.0/8"]))
    })
    const run = Runtime.runPromise(yield* Effect.runtime<never>())
    let requests = 0
    const send = ({ body, ...request }: Request) =>
      run(
        Effect.map(
          interpreter.answer({
            ...request,
            // Every request is from an address of its own: no bucket of addresses runs dry.
            peer: `10.${++requests >> 16}.${(requests >> 8) & 255}.${requests & 255}`,
            body: (limit) => Effect.succeed(body.length > limit ? null : body)
          }),
          withText
        )
      )
    return {
      interpreter,
      send,
      own: yield* Effect.promise(() => settle(send)),
      other: yield* Effect.cachedFunction((_purpose: string) => Effect.promise(() => settle(send))),
      causes: () => causes.splice(0)
    }
  })
  return Layer.scoped(World, live).pipe(
    Layer.provide(Administration.layer.pipe(Layer.provideMerge(Engine.layer))),
    Layer.provide(Layer.merge(storage, ports)),
    Layer.provide(Logger.replace(Logger.defaultLogger, logged))
  )
}

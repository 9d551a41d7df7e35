import { SandboxProvider } from "@parley/channel-sandbox"
import {
  Administration,
  allowAll,
  ChannelProviders,
  channelProviders,
  Engine,
  engineSettings,
  type Storage,
  type Wakeup
} from "@parley/core"
import { LogNotifier, MemoryBlobs, NodeHttpSender, UuidIds } from "@parley/node"
import { plainSecretBox } from "@parley/testkit/services"
import { Cause, Context, Effect, Either, Layer, Logger, Redacted, Runtime } from "effect"
import {
  adminModule,
  type Interpreter,
  makeInterpreter,
  type Outgoing,
  publicModule,
  trustedProxies
} from "../../src/index.js"
import { adminToken, type Request } from "./requests.js"
import { type Settled, settle } from "./settle.js"

/** Both interfaces with the engine on a database, with workspaces that have two of everything. */
export class World extends Context.Tag("test/World")<
  World,
  {
    readonly interpreter: Interpreter
    /** Workspace of the public interface's callers. Administrators never change it. */
    readonly own: Settled
    /** Workspaces that administrators change, one per purpose. */
    readonly other: (purpose: string) => Effect.Effect<Settled>
    readonly send: (request: Request) => Promise<Outgoing<string>>
    /** Causes of internal errors since the last call. */
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
  Layer.succeed(ChannelProviders, channelProviders([SandboxProvider])),
  plainSecretBox
)

/** Contracts respond with text only. */
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
      modules: [yield* publicModule, yield* adminModule(Redacted.make(adminToken))],
      trustedProxies: Either.getOrThrow(trustedProxies(["10.0.0.0/8"]))
    })
    const run = Runtime.runPromise(yield* Effect.runtime<never>())
    let requests = 0
    const send = ({ body, ...request }: Request) =>
      run(
        Effect.map(
          interpreter.answer({
            ...request,
            // Each request has its own address, so that no address bucket runs empty.
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

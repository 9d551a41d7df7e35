import { Administration, Engine, type ReadError, type Storage } from "@parley/core"
import { Database, isLoopback, Ports, type Settings, secretsReadable, TracedPorts } from "@parley/host-settings"
import { Effect, Layer } from "effect"
import { Demo } from "../demo/Demo.js"

/** The engine and its administration on the ports that the settings describe, and what `demo` finds in the storage. */
export const engine = (settings: Settings, demo: Effect.Effect<Demo, ReadError, Storage>) => {
  const storage = Layer.provideMerge(Layer.effect(Demo, demo), Database.layer(settings.database))
  const ports = Layer.unwrapEffect(
    Effect.map(Demo, ({ _tag }) => Ports.layer(settings, { loopback: _tag !== "None" && isLoopback(settings.host) }))
  ).pipe(Layer.provideMerge(storage))
  return Administration.layer.pipe(
    Layer.provideMerge(Engine.layer),
    Layer.provideMerge(Layer.effectDiscard(secretsReadable)),
    Layer.provideMerge(settings.tracesUrl === null ? ports : Layer.provideMerge(TracedPorts.layer, ports))
  )
}

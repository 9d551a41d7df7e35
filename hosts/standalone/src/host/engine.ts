import type { ReadError, Storage } from "@parley/core"
import * as Host from "@parley/host/layers"
import { isLoopback, Ports, type Settings } from "@parley/host-settings"
import { Effect, Layer } from "effect"
import { Demo } from "../demo/Demo.js"

export const databaseSetting = "PARLEY_DATABASE_URL"

/** Connections of a host to Postgres, and the fewest of one of its processes. */
const hostConnections = 12
const minConnections = 4

/** The engine and its administration on the ports of the settings, and what `demo` finds in the storage. */
export const engine = (settings: Settings, demo: Effect.Effect<Demo, ReadError, Storage>) => {
  const storage = Layer.provideMerge(
    Layer.effect(Demo, demo),
    Host.Database.layer(settings.database, {
      setting: databaseSetting,
      maxConnections: Math.max(minConnections, Math.ceil(hostConnections / settings.processes))
    })
  )
  const ports = Layer.unwrapEffect(
    Effect.map(Demo, ({ _tag }) => Ports.layer(settings, { loopback: _tag !== "None" && isLoopback(settings.host) }))
  ).pipe(Layer.provideMerge(storage))
  return Host.engine(
    settings.tracesUrl === null ? ports : Layer.provideMerge(Host.TracedPorts.layer, ports),
    Ports.secretKeySetting
  )
}

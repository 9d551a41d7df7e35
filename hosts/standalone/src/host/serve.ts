import { HttpHost, ProbeServer } from "@parley/host-http"
import type { Settings } from "@parley/host-settings"
import { WorkerHost } from "@parley/host-worker"
import { Effect, Layer } from "effect"
import { type Demo, find } from "../demo/Demo.js"
import { startDemo } from "../demo/startDemo.js"
import { engine } from "./engine.js"
import { isFirst } from "./processes/ofProcess.js"
import { untilStopped } from "./untilStopped.js"

const noDemo = Effect.succeed<Demo>({ _tag: "None" })

/** The server and the worker in one process, and the demo if the database is empty. */
export const serve = (settings: Settings) =>
  Effect.gen(function* () {
    const { url } = yield* HttpHost.HttpHost
    if (isFirst()) yield* startDemo(settings, url)
    yield* Effect.logInfo(`listening on ${url}`)
    return yield* untilStopped(settings)
  }).pipe(
    Effect.provide(
      Layer.merge(HttpHost.layer(settings), WorkerHost.layer).pipe(Layer.provideMerge(engine(settings, find(settings))))
    )
  )

/** Only the server: it sends the messages that it accepts, and leaves all other work to workers. */
export const serveHttp = (settings: Settings) =>
  Effect.gen(function* () {
    const { url } = yield* HttpHost.HttpHost
    yield* Effect.logInfo(`listening on ${url}`)
    return yield* untilStopped(settings)
  }).pipe(Effect.provide(Layer.provide(HttpHost.layer(settings), engine(settings, noDemo))))

/** Only the worker, and its probes if their port is set. */
export const work = (settings: Settings) =>
  Effect.zipRight(Effect.logInfo("working off the queue"), untilStopped(settings)).pipe(
    Effect.provide(
      Layer.merge(WorkerHost.layer, ProbeServer.layer(settings)).pipe(Layer.provide(engine(settings, noDemo)))
    )
  )

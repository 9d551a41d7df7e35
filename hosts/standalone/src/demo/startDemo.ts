import { isLoopback, Ports, type Settings } from "@parley/host-settings"
import { Console, Effect, Redacted } from "effect"
import { Demo } from "./Demo.js"
import * as DemoFile from "./DemoFile.js"
import { makeDemo } from "./makeDemo.js"
import { welcome } from "./welcome.js"

/** Creates the demo if it is enabled, and prints how to use it. `baseUrl` is the server's present URL. */
export const startDemo = (settings: Settings, baseUrl: string) =>
  Effect.gen(function* () {
    const demo = yield* Demo
    if (demo._tag === "None") return
    const path = DemoFile.pathIn(settings.dataDirectory)
    if (demo._tag === "Wanted") yield* DemoFile.begin(path)
    const made = demo._tag === "Wanted" ? yield* makeDemo : demo.file
    const admin_token = Redacted.value(yield* Ports.adminTokenOf(settings))
    const file = { ...made, base_url: baseUrl, admin_token }
    yield* DemoFile.write(path, file)
    // A JSON log is collected by machines: it must not contain the key.
    if (settings.logFormat === "json") yield* Effect.logInfo(`the demo is ready: its API key is in ${path}`)
    else yield* Console.log(welcome(file, path, isLoopback(settings.host)))
  })

import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { setTimeout as sleep } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { webchat } from "@parley/channel-webchat"
import { makeInterpreter, nodeServer, publicModule, trustedProxies } from "@parley/http"
import { Deferred, Effect, Either, ManagedRuntime } from "effect"
import { workingEngineOn } from "../world/parley.js"
import type { Store } from "../world/Store.js"
import { seedChat } from "../world/seedChat.js"
import { answerOrders, settingOf } from "./answerOrders.js"

/** How the program is started: web chat, or `node:http` that only holds the streams. */
export type ChatSetting = { readonly store: Store } | { readonly store: null }

/** Asks for the figures since the last order, or begins to stop the host. */
export type ChatOrder = "figures" | "stop"

/** Figures of the process since the last order. */
export interface ChatFigures {
  readonly cpuMicros: number
  /** Resident, before a garbage collection. */
  readonly residentBytes: number
  /** JavaScript objects that are left after a garbage collection. */
  readonly heapBytes: number
  /** The 99th percentile of the event loop's delay, and the longest one, in ms. */
  readonly delayP99: number
  readonly delayMax: number
}

const setting = settingOf<ChatSetting>()

const chatServer = async (store: Store) => {
  await seedChat(store)
  const total = { streams: 100_000, streamsPerMinute: 1_000_000, visitorsPerMinute: 100_000 }
  const runtime = ManagedRuntime.make(workingEngineOn(store, webchat({ bounds: { total } })))
  return runtime.runPromise(
    Effect.gen(function* () {
      const stopping = yield* Deferred.make<void>()
      const interpreter = yield* makeInterpreter({
        modules: [yield* publicModule],
        trustedProxies: Either.getOrThrow(trustedProxies(["127.0.0.1"])),
        stopping: Deferred.await(stopping)
      })
      const stop = () => Deferred.unsafeDone(stopping, Effect.void)
      return { server: yield* nodeServer(interpreter), stop }
    })
  )
}

/** The least that an SSE server does: a first event, and a comment every 15 s. */
const bareServer = () => {
  const open = new Set<ServerResponse>()
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" })
    response.write("retry: 1000\n\n")
    const pulse = setInterval(() => response.write(":\n\n"), 15_000)
    open.add(response)
    response.on("close", () => {
      clearInterval(pulse)
      open.delete(response)
    })
  })
  const stop = () => {
    for (const response of open) response.end()
  }
  return { server, stop }
}

const { server, stop } = setting.store === null ? bareServer() : await chatServer(setting.store)
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", 4_096, resolve))

setFlagsFromString("--expose_gc")
const collect: () => void = runInNewContext("gc")

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
let cpu = process.cpuUsage()
const answer = async (order: ChatOrder): Promise<ChatFigures> => {
  const { user, system } = process.cpuUsage(cpu)
  const figures = { cpuMicros: user + system, delayP99: delay.percentile(99) / 1e6, delayMax: delay.max / 1e6 }
  const residentBytes = process.memoryUsage().rss
  collect()
  const heapBytes = process.memoryUsage().heapUsed
  // The delay by the collection itself is not counted.
  await sleep(100)
  cpu = process.cpuUsage()
  delay.reset()
  if (order === "stop") setImmediate(stop)
  return { ...figures, residentBytes, heapBytes }
}

answerOrders<ChatOrder>(answer, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)

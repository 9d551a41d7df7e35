import { setTimeout as sleep } from "node:timers/promises"
import type { PostgresServer } from "@parley/testkit/postgres"
import type { Recorder } from "../run/Recorder.js"
import { goodMood } from "../run/Vendor.js"
import type { DatabaseProxy } from "./databaseProxy.js"
import type { Mood, ProcessFault, Step } from "./Fault.js"
import type { Host } from "./Host.js"
import type { ReceiverServer } from "./receivers.js"
import type { VendorServer } from "./vendor.js"

interface Surroundings {
  readonly hosts: ReadonlyArray<Host>
  readonly postgres: PostgresServer
  readonly proxy: DatabaseProxy
  readonly receivers: ReceiverServer
  readonly recorder: Recorder
  readonly vendor: VendorServer
}

/** Injects planned faults, one after another, until `isOver`. */
export const makeFaults = ({ hosts, postgres, proxy, receivers, recorder, vendor }: Surroundings) => {
  let injected = 0

  /** A fault that lasts, with its beginning and its end in the journal. */
  const during = async (
    text: string,
    work: () => Promise<void>,
    effects: { readonly powerCut?: true; readonly outside?: true } = {}
  ) => {
    const name = `fault ${++injected}`
    recorder.record({ kind: "fault", text, begins: name, ...effects })
    await work()
    recorder.record({ kind: "fault", text: `end of: ${text}`, ends: name })
  }

  const inject = async (fault: ProcessFault): Promise<void> => {
    const host = "host" in fault ? hosts[fault.host] : undefined
    switch (fault.kind) {
      case "kill":
        return during(`${host?.name} is killed`, async () => {
          await host?.end("SIGKILL")
          recorder.record({ kind: "fault", text: `${host?.name} is gone`, crashed: host?.name ?? "" })
          await sleep(fault.ms)
          await host?.start()
        })
      case "stop":
        return during(`${host?.name} shuts down`, async () => {
          await host?.end("SIGTERM")
          await sleep(fault.ms)
          await host?.start()
        })
      case "pause":
        return during(`${host?.name} is paused for ${fault.ms} ms`, async () => {
          host?.signal("SIGSTOP")
          await sleep(fault.ms)
          host?.signal("SIGCONT")
        })
      case "clock":
        return during(`the clock of ${host?.name} is off by ${fault.stepMs} ms`, async () => {
          host?.setClock(fault.stepMs)
          await sleep(fault.ms)
          host?.setClock(0)
        })
      case "restart":
        // An immediate restart forgets commits that did not wait for the disk.
        return during(
          `Postgres restarts: ${fault.mode}`,
          () => postgres.restart(fault.mode),
          fault.mode === "immediate" ? { powerCut: true } : {}
        )
      case "stall":
        return during(`the network to Postgres stalls for ${fault.ms} ms`, async () => {
          proxy.stall()
          await sleep(fault.ms)
          proxy.resume()
        })
      case "cut":
        return during("connections to Postgres are cut", async () => proxy.cut())
      case "promote":
        return during(
          "Postgres is killed, and its replica promoted",
          async () => {
            proxy.setTarget(portOf(await postgres.promote()))
            proxy.cut()
            await postgres.replicate({ synchronous: true })
          },
          { powerCut: true }
        )
    }
  }

  const setMood = async (mood: Mood): Promise<void> => {
    if (mood.kind === "vendor") {
      const change = async () => {
        vendor.setMood(mood.mood)
        await sleep(mood.ms)
        vendor.setMood(goodMood)
      }
      return during(`the vendor changes: ${JSON.stringify(mood.mood)}`, change, { outside: true })
    }
    const change = async () => {
      receivers.setMood(mood.name, mood.mood, mood.probability)
      await sleep(mood.ms)
      receivers.setMood(mood.name, "works", 1)
    }
    return during(`${mood.name} often ${mood.mood}`, change, { outside: true })
  }

  const run = async <A>(
    steps: Iterable<Step<A>>,
    apply: (fault: A) => Promise<void>,
    isOver: () => boolean
  ): Promise<void> => {
    for (const { fault, thenMs } of steps) {
      if (isOver()) return
      await apply(fault)
      const until = Date.now() + thenMs
      while (Date.now() < until && !isOver()) await sleep(500)
    }
  }

  return {
    injected: () => injected,
    run: (faults: Iterable<Step<ProcessFault>>, moods: Iterable<Step<Mood>>, isOver: () => boolean): Promise<unknown> =>
      Promise.all([run(faults, inject, isOver), run(moods, setMood, isOver)])
  }
}

export const portOf = (url: string): number => Number(new URL(url).port)

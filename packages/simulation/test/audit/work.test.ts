import { describe, expect, test } from "vitest"
import { type HandWritten, isoTime, newId } from "./journalOf.js"
import { brokenBy } from "./promisesOf.js"

describe("jobs", () => {
  const listed = (job: (history: HandWritten) => object) =>
    brokenBy((history) => {
      history.quiet()
      history.wait(120_000)
      history.call("administrator", "GET", "/admin/v1/jobs?limit=100", null, 200, {
        data: [{ id: newId(), lane: "sends", ...job(history) }]
      })
    })

  test("wait for a time, run or are parked", () => {
    expect(listed(({ now }) => ({ state: "waiting", next_run_at: isoTime(now + 1) }))).toEqual([])
    expect(listed(({ now }) => ({ state: "leased", next_run_at: isoTime(now + 1) }))).toEqual([])
    expect(listed(() => ({ state: "parked", next_run_at: null, failure: { count: 20 } }))).toEqual([])
    expect(listed(({ now }) => ({ state: "due", next_run_at: isoTime(now - 1_000) }))).toEqual([])
  })

  test("a job that stays due, or waits for nothing", () => {
    expect(listed(({ now }) => ({ state: "due", next_run_at: isoTime(now - 90_000) }))).toEqual(["jobs-end"])
    expect(listed(() => ({ state: "waiting", next_run_at: null }))).toEqual(["jobs-end"])
  })
})

describe("shutdowns", () => {
  /** A shutdown that has to be ended after 12 s. */
  const killed = (happens: (history: HandWritten) => void) =>
    brokenBy((history) => {
      history.wait(120_000)
      happens(history)
      history.fault({ stops: "one" })
      history.wait(12_000)
      history.fault({ killed: "one" })
      history.crash("one")
    })

  test("end in time", () => {
    expect(killed(() => {})).toEqual(["shutdown-ends-in-time"])
  })

  test("wait for vendors and receivers, and suffer from faults", () => {
    expect(killed((history) => history.beginHandOver(history.send()))).toEqual([])
    expect(killed((history) => history.progress(history.send(), "queued", { status: undefined }))).toEqual([])
    expect(killed((history) => history.fault({ begins: "the database is away" }))).toEqual([])
    expect(killed((history) => history.beginHandOver(history.send(), {}, "two"))).toEqual(["shutdown-ends-in-time"])
  })
})

describe("parked jobs", () => {
  const parked = (count: number) =>
    brokenBy((history) => {
      history.quiet()
      history.wait(120_000)
      history.call("administrator", "GET", "/admin/v1/jobs?lane=parked", null, 200, {
        data: [{ id: newId(), lane: "parked", state: "parked", next_run_at: null, failure: { count, error: "Error" } }]
      })
    })

  test("have failed 20 times", () => {
    expect(parked(20)).toEqual([])
    expect(parked(19)).toEqual(["job-is-parked-after-20-failures"])
  })
})

describe("waits of workflows", () => {
  const run = newId()

  const read = (history: HandWritten, data: object) =>
    history.call("administrator", "GET", `/admin/v1/workflow-runs/${run}`, null, 200, {
      data: { id: run, steps: [], ...data }
    })

  /** A wait of a minute that ended so many ms after its time; null: it still lasts. */
  const waited = (late: number | null, crash = false) =>
    brokenBy((history) => {
      const until = history.now + 60_000
      const pending = { type: "wait", position: 1, until: isoTime(until) }
      read(history, { pending })
      if (crash) history.crash("one")
      history.wait(90_000)
      if (late === null) read(history, { pending })
      else read(history, { pending: null, steps: [{ type: "wait", position: 1, ended_at: isoTime(until + late) }] })
    })

  test("end within a second", () => {
    expect(waited(0)).toEqual([])
    expect(waited(1_000)).toEqual([])
  })

  test("a wait that is too long, too short or does not end", () => {
    expect(waited(1_001)).toEqual(["wait-ends-in-time"])
    expect(waited(-1)).toEqual(["wait-ends-in-time"])
    expect(waited(null)).toEqual(["wait-ends-in-time"])
  })

  test("a wait that only the definition and the step show", () => {
    const waited = (ms: number) =>
      brokenBy((history) => {
        const workflow = newId()
        const actions = [{ type: "wait", for: "2m" }]
        history.call("administrator", "POST", "/admin/v1/workflows", { actions }, 201, { data: { id: workflow } })
        const [started_at, ended_at] = [isoTime(history.now), isoTime(history.now + ms)]
        history.wait(300_000)
        const step = { type: "wait", position: 0, outcome: "done", started_at, ended_at }
        read(history, { workflow_id: workflow, pending: null, steps: [step] })
      })
    expect(waited(120_000)).toEqual([])
    expect(waited(119_000)).toEqual(["wait-ends-in-time"])
    expect(waited(122_000)).toEqual(["wait-ends-in-time"])
  })

  test("no worker may be there after a crash", () => {
    expect(waited(20_000, true)).toEqual([])
    expect(waited(-1, true)).toEqual(["wait-ends-in-time"])
  })
})

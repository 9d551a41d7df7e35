import { describe, expect, it } from "@effect/vitest"
import { readOptions } from "../src/options.js"

describe("readOptions", () => {
  it("measures everything by default and writes nothing", () => {
    expect(readOptions([])).toEqual({
      only: [
        "engine",
        "stories",
        "http",
        "access",
        "deliveries",
        "subscriptions",
        "enqueue",
        "jobs",
        "inProcess",
        "lists",
        "throttle",
        "snapshot",
        "runs",
        "inbound",
        "chat",
        "bodies",
        "files",
        "memory",
        "install"
      ],
      seconds: 5,
      rounds: 3,
      inbound: 60,
      messages: 100_000,
      contacts: 1_000_000,
      rows: 1_000_000,
      waiting: 1_000_000,
      held: 600,
      streams: 8_000,
      endpoints: 20,
      hanging: 4,
      webhooks: 200,
      backlog: true,
      profile: null,
      write: null
    })
  })

  it("takes the endpoints of webhooks", () => {
    const argv = ["--endpoints", "1000", "--hanging", "300", "--webhooks", "600", "--no-backlog"]
    expect(readOptions(argv)).toMatchObject({ endpoints: 1_000, hanging: 300, webhooks: 600, backlog: false })
    expect(readOptions(["--endpoints", "1000"])).toMatchObject({ hanging: 200 })
  })

  it("takes one part, or several", () => {
    expect(readOptions(["--only", "http", "--seconds", "2"])).toMatchObject({ only: ["http"], seconds: 2 })
    expect(readOptions(["--only", "engine,http"])).toMatchObject({ only: ["engine", "http"] })
  })

  it.each([
    ["an unknown part", ["--only", "engine,disk"]],
    ["rounds without a length", ["--seconds", "0"]],
    ["endpoints that all hang", ["--endpoints", "5", "--hanging", "5"]],
    ["what is no number", ["--rounds", "many"]]
  ])("refuses %s with the usage", (_, argv) => {
    expect(() => readOptions(argv)).toThrow("npm run bench")
  })
})

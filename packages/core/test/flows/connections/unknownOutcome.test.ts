import { SandboxProvider } from "@parley/channel-sandbox"
import { Schema } from "effect"
import { expect, it } from "vitest"
import { readSettings } from "../../../src/flows/connections/readSettings.js"
import type { ChannelProvider } from "../../../src/ports/ChannelProvider.js"

const provider: ChannelProvider = { ...SandboxProvider, config: Schema.Struct({}) }

it("accepts hold and resend as unknown_outcome of a connection", () => {
  for (const unknown_outcome of ["hold", "resend"]) {
    expect(readSettings(provider, { config: { unknown_outcome } })).toEqual({
      config: { unknown_outcome },
      problems: {}
    })
  }
  expect(readSettings(provider, { config: { unknown_outcome: "forget" } }).problems).toEqual({
    "config.unknown_outcome": ["must be one of hold, resend"]
  })
})

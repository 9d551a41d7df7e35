import { describe, expect, it } from "@effect/vitest"
import { Redacted } from "effect"
import { refusal } from "../../src/commands/refusal.js"

const target = {
  url: "http://127.0.0.1:8080",
  urlFrom: "--server",
  token: Redacted.make("the token itself"),
  tokenFrom: "PARLEY_ADMIN_TOKEN",
  applicationId: null,
  workspaceId: null,
  connections: {}
}
const reported = (code: string, path: string, details = {}, message = "No.") =>
  refusal({ code, message, details, request_id: "R" }, { path, target })

describe("a refusal", () => {
  it("has a line for each field, and the request's id", () => {
    const details = {
      name: ["must not be empty", "must be text"],
      email: ["must be an email address"],
      contact_id: "C"
    }
    expect(reported("validation_failed", "/agents", details)).toBe(
      [
        "No. (validation_failed, request R)",
        "  name: must not be empty, must be text",
        "  email: must be an email address",
        "  contact_id: C"
      ].join("\n")
    )
  })

  it("names the missing resource", () => {
    expect(reported("not_found", "/webhook-endpoints/E/test")).toContain("There is no webhook endpoint E. (not_found")
    expect(reported("not_found", "/applications/A/api-keys/K%20/rotate")).toContain(
      "There is no api key K  of application A."
    )
    expect(reported("not_found", "/webhook-deliveries/D?limit=1")).toContain("There is no webhook delivery D.")
    expect(reported("not_found", "/status")).toContain("No. (not_found")
  })

  it("names the source of an invalid token, not the token", () => {
    const message = reported("unauthenticated", "/agents")
    expect(message).toContain("is from PARLEY_ADMIN_TOKEN")
    expect(message).not.toContain("the token itself")
  })

  it("names the settings that would allow a refused address", () => {
    const message = reported("validation_failed", "/applications/A/webhook-endpoints", { url: ["must be https"] })
    expect(message).toContain("PARLEY_WEBHOOK_ALLOW and")
    expect(message).toContain("PARLEY_WEBHOOK_ALLOW_HTTP")
  })

  it("recommends another application for connections of the other mode", () => {
    const message = reported("validation_failed", "/applications/A", {
      connection_ids: ["must be connections marked as test"]
    })
    expect(message).toContain("parley app create <name> --mode <live or test> --connections <ids>")
    expect(reported("validation_failed", "/applications/A", { connection_ids: ["is required"] })).not.toContain(
      "app create"
    )
  })
})

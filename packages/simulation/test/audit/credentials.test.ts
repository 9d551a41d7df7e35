import { describe, expect, test } from "vitest"
import { type HandWritten, newId, shop } from "./journalOf.js"
import { brokenBy } from "./promisesOf.js"

const keysPath = `/admin/v1/applications/${shop.applicationId}/api-keys`
const refused = (code: string) => ({ error: { code, message: "m", details: {} } })

describe("API keys", () => {
  const key = newId()

  const use = (history: HandWritten, status: number) => {
    const request = history.request("shop", "GET", "/api/v1/channels", null, null, key)
    history.respond(request, status, status >= 400 ? { code: "unauthenticated" } : { data: [] })
  }
  const revoke = (history: HandWritten, status = 200) =>
    history.call("administrator", "DELETE", `${keysPath}/${key}`, null, status, { code: "not_found" })
  const rotate = (history: HandWritten) =>
    history.call("administrator", "POST", `${keysPath}/${key}/rotate`, null, 201, { data: { id: newId() } })

  const usedAfter = (change: ((history: HandWritten) => void) | null, status: number) =>
    brokenBy((history) => {
      change?.(history)
      use(history, status)
    })

  test("are accepted until they are revoked or rotated", () => {
    expect(usedAfter(null, 200)).toEqual([])
    expect(usedAfter(revoke, 401)).toEqual([])
    expect(usedAfter(rotate, 401)).toEqual([])
    expect(usedAfter(revoke, 503)).toEqual([])
  })

  test("a revoked or rotated key that is accepted", () => {
    expect(usedAfter(revoke, 200)).toEqual(["revoked-key-is-refused"])
    expect(usedAfter(rotate, 200)).toEqual(["revoked-key-is-refused"])
  })

  test("a valid key that is refused", () => {
    expect(usedAfter(null, 401)).toEqual(["valid-key-is-accepted"])
    expect(usedAfter((history) => revoke(history, 404), 401)).toEqual(["valid-key-is-accepted"])
  })

  test("a request beside the revocation may have either answer", () => {
    const beside = (status: number) =>
      brokenBy((history) => {
        const revocation = history.request("administrator", "DELETE", `${keysPath}/${key}`)
        use(history, status)
        history.respond(revocation, 200, { data: {} })
      })
    expect(beside(200)).toEqual([])
    expect(beside(401)).toEqual([])
  })
})

describe("suspended applications", () => {
  const set = (history: HandWritten, status: string, answer: number | null = 200) => {
    const request = history.request("administrator", "PATCH", `/admin/v1/applications/${shop.applicationId}`, {
      status
    })
    if (answer !== null) history.respond(request, answer, { code: "service_unavailable", data: {} })
  }
  const read = (history: HandWritten, status: number) =>
    history.call("shop", "GET", "/api/v1/contacts", null, status, status === 403 ? refused("account_suspended") : {})
  const broken = (script: (history: HandWritten) => void) =>
    brokenBy(script).filter((promise) => promise !== "response-form")

  test("are refused while they are suspended", () => {
    const kept = broken((history) => {
      read(history, 200)
      set(history, "suspended")
      read(history, 403)
      set(history, "active")
      read(history, 200)
    })
    expect(kept).toEqual([])
  })

  test("are refused too long, or not at all", () => {
    const accepted = broken((history) => {
      set(history, "suspended")
      read(history, 200)
    })
    const late = broken((history) => {
      set(history, "suspended")
      set(history, "active")
      read(history, 403)
    })
    expect(accepted).toEqual(["suspended-application-is-refused"])
    expect(late).toEqual(["suspended-application-is-refused"])
  })

  test("may have either status after a change of unknown result", () => {
    for (const answer of [503, null]) {
      for (const status of [200, 403]) {
        const kept = broken((history) => {
          set(history, "suspended", answer)
          read(history, status)
        })
        expect(kept).toEqual([])
      }
    }
  })
})

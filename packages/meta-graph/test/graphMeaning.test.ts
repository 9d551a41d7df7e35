import { rejection } from "@parley/provider-kit"
import { describe, expect, it } from "vitest"
import { graphErrorOf, graphMeaning, graphProblem } from "../src/index.js"

const noPermission = rejection("connection", "no permission")
const noAccess = rejection("connection", "no access")
const inTen = rejection("message", "some subcode of 10")
const exact = rejection("message", "10/5")
const meaningOf = graphMeaning({
  meanings: { "10": noAccess, "10/*": inTen, "10/5": exact, "200": noPermission, "201": inTen },
  noAccess,
  refused: "refused"
})
const anError = (code: number, subcode: number | null = null, isTransient = false) => ({ code, subcode, isTransient })

describe("the meaning of an error of the Graph API", () => {
  it.each([
    ["of code and subcode", anError(10, 5), 400, exact],
    ["of a code with any other subcode", anError(10, 6), 400, inTen],
    ["of a code alone", anError(10), 400, noAccess],
    ["of 200 for an unlisted permission", anError(299), 400, noPermission],
    ["of a listed permission", anError(201), 400, inTen],
    ["of status 429", anError(7), 429, { kind: "throttled" }],
    ["of status 401", anError(7), 401, noAccess],
    ["of status 500", anError(7), 500, { kind: "transient" }],
    ["of an error that Meta calls transient", anError(7, null, true), 400, { kind: "transient" }],
    ["of any other error", anError(7), 400, rejection("message", "refused")],
    ["of an error in a receipt", anError(7), null, rejection("message", "refused")]
  ])("is that %s", (_what, error, status, meaning) => expect(meaningOf(error, status)).toEqual(meaning))
})

it("an error is read despite null fields", () => {
  const error = { code: 100, error_subcode: null, message: null, is_transient: null, error_data: null }
  expect(graphErrorOf({ error })).toEqual({ code: 100, subcode: null, message: "", isTransient: false })
})

describe("what an operator does about a failed call", () => {
  const problem = graphProblem({ token: "the_token", permissions: "pages_messaging", meaningOf })
  const refused = (code: number, status = 400, message = "") => {
    const error = { ...anError(code), message, providerCode: `${code}` }
    return problem({ _tag: "Refused", status, error, retryAfterMs: null, reason: `status ${status}` }, "Unknown Page.")
  }

  it("names the credential, the permission or the object", () => {
    expect(problem({ _tag: "Unanswered", reason: "no answer in time" }, "")).toContain("no answer in time")
    expect(refused(190)).toContain("does not take the the_token")
    expect(refused(7, 401)).toContain("does not take the the_token")
    expect(refused(100, 400, "Invalid appsecret_proof")).toContain("app_secret is not that of the app")
    expect(refused(10)).toContain("needs pages_messaging")
    expect(refused(100)).toBe("Unknown Page.")
    expect(refused(7)).toBe("Meta refused with error 7. refused")
    expect(refused(7, 500)).toContain("Try again later")
  })
})

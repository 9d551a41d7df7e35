import { HttpApi } from "@effect/platform"
import { expect, it } from "@effect/vitest"
import { Context, Option } from "effect"
import { ParleyApi, RequiredScopes } from "../src/index.js"

it("declares the scopes of each endpoint (docs/reference/authentication.md#scopes-by-endpoint)", () => {
  const scopes: { [endpoint: string]: ReadonlyArray<string> | null } = {}
  HttpApi.reflect(ParleyApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, mergedAnnotations }) => {
      const named = Context.getOption(mergedAnnotations, RequiredScopes)
      scopes[`${endpoint.method} ${endpoint.path}`] = Option.getOrNull(named)
    }
  })
  expect(scopes).toEqual({
    "POST /api/v1/oauth/token": [],
    "POST /api/v1/contacts": ["contacts.write"],
    "GET /api/v1/contacts": ["contacts.read"],
    "GET /api/v1/contacts/:contact": ["contacts.read"],
    "GET /api/v1/conversations": ["messages.read"],
    "GET /api/v1/conversations/:id": ["messages.read"],
    "GET /api/v1/conversations/:id/messages": ["messages.read"],
    "POST /api/v1/conversations/:id/typing": ["messages.send"],
    "POST /api/v1/conversations/:id/read": ["messages.send"],
    "GET /api/v1/templates": ["templates.read"],
    "GET /api/v1/channels": [],
    "POST /api/v1/attachments": ["messages.send", "templates.send"],
    "GET /api/v1/attachments/:id": ["messages.send", "templates.send"],
    "POST /api/v1/leads": ["leads.create"],
    "POST /api/v1/events": ["events.send"],
    "POST /api/v1/messages": ["messages.send", "templates.send"],
    "GET /api/v1/messages/:id": ["messages.read", "messages.status"]
  })
})

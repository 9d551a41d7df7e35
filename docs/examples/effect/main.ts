// An Effect service with messaging under /messaging and its own routes.
import { createServer } from "node:http"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { Access, Administration, decodeSendMessageInput, Engine, fingerprint, Ids, Messages } from "@parley/core"
import { adminModule, httpApp, makeInterpreter, mounted, publicModule } from "@parley/http"
import { Clock, Config, Console, Effect, Layer, Schema } from "effect"
import { firstKey } from "./firstKey.js"
import { ports } from "./ports.js"

/** All services, the administration, and the worker that runs jobs. */
const parley = Layer.merge(Administration.layer, Engine.worker).pipe(
  Layer.provideMerge(Engine.layer),
  Layer.provideMerge(ports)
)

const Order = Schema.Struct({ id: Schema.String, email: Schema.String })

/** Calls the service without HTTP. */
const sendConfirmation = (apiKey: string, order: typeof Order.Type) =>
  Effect.gen(function* () {
    const access = yield* Access
    const messages = yield* Messages
    const ids = yield* Ids
    const body = {
      channel: "email",
      to: order.email,
      type: "text",
      message: { subject: `Order ${order.id}`, body: "Thank you." }
    }
    const { body: answer } = yield* messages.send(yield* access.authenticate(apiKey, "write"), {
      decoded: decodeSendMessageInput(body),
      idempotency: { key: `order-${order.id}`, fingerprint: fingerprint("POST", "/orders", body) },
      requestId: ids.next(yield* Clock.currentTimeMillis)
    })
    return (JSON.parse(answer) as { readonly data: { readonly message_id: string } }).data
  })

const app = Effect.gen(function* () {
  const apiKey = yield* Config.string("API_KEY").pipe(Effect.orElse(() => firstKey))
  const modules = [yield* publicModule, yield* adminModule(yield* Config.redacted("ADMIN_TOKEN"))] as const
  const interpreter = yield* makeInterpreter({ modules })
  yield* HttpServer.addressFormattedWith((url) => Console.log(`listening on ${url}, API_KEY=${apiKey}`))
  return HttpRouter.empty.pipe(
    HttpRouter.mountApp("/messaging", httpApp(mounted(interpreter, "/messaging"))),
    HttpRouter.post(
      "/orders",
      Effect.gen(function* () {
        const order = yield* HttpServerRequest.schemaBodyJson(Order)
        const { message_id } = yield* sendConfirmation(apiKey, order)
        return yield* HttpServerResponse.json({ id: order.id, message_id }, { status: 201 })
      })
    ),
    HttpRouter.get("/ready", HttpServerResponse.json({ ready: true }))
  )
})

const server = Layer.unwrapEffect(
  Effect.map(Config.withDefault(Config.integer("PORT"), 8081), (port) =>
    NodeHttpServer.layer(createServer, { port, host: "127.0.0.1" })
  )
)

// Layers close in reverse order: the server finishes its requests, then the engine its jobs.
Layer.unwrapEffect(Effect.map(app, HttpServer.serve())).pipe(
  Layer.provide(server),
  Layer.provide(parley),
  Layer.launch,
  NodeRuntime.runMain
)

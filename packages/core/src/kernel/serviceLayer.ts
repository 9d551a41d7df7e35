import { Context, Effect, Layer, type Scope } from "effect"

/** What {@link servicesInOrder} has created so far. */
interface Created {
  readonly services: Context.Context<never>
  /** The services, and those that the layer requires. */
  readonly environment: Context.Context<never>
}

/** A layer of one service, which {@link servicesInOrder} can create without building the layer. */
export interface ServiceLayer<I, R> extends Layer.Layer<I, never, R> {
  /** Creates the service, for the lifetime of the scope, and adds it. */
  readonly addTo: (created: Created) => Effect.Effect<Created, never, Scope.Scope>
}

/** The layer of a service, which lives as long as the layer's scope. */
export const serviceLayer = <I, S, R>(
  tag: Context.Tag<I, S>,
  make: Effect.Effect<S, never, R>
): ServiceLayer<I, Exclude<R, Scope.Scope>> =>
  Object.assign(Layer.scoped(tag, make), {
    addTo: ({ environment, services }: Created) =>
      Effect.map(
        Effect.mapInputContext(make, (scope: Context.Context<Scope.Scope>) =>
          Context.merge(environment as Context.Context<R>, scope)
        ),
        (service) => ({
          services: Context.add(services, tag, service),
          environment: Context.add(environment, tag, service)
        })
      )
  })

type Services<Layers extends ReadonlyArray<ServiceLayer<never, unknown>>> = {
  [K in keyof Layers]: Layer.Layer.Success<Layers[K]>
}[number]
type Requirements<Layers extends ReadonlyArray<ServiceLayer<never, unknown>>> = {
  [K in keyof Layers]: Layer.Layer.Context<Layers[K]>
}[number]

/**
 * One layer of several services. Creates them one after the other: each may use those before it. A service that needs
 * one after it is a defect when the layer is built. `Layer.mergeAll` and `Layer.provide` of as many layers run ten times as
 * many effects.
 */
export const servicesInOrder = <const Layers extends ReadonlyArray<ServiceLayer<never, unknown>>>(
  ...layers: Layers
): Layer.Layer<Services<Layers>, never, Exclude<Requirements<Layers>, Services<Layers>>> =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const environment = yield* Effect.context<Exclude<Requirements<Layers>, Services<Layers>>>()
      let created: Created = { services: Context.empty(), environment }
      for (const layer of layers) created = yield* layer.addTo(created)
      return created.services as Context.Context<Services<Layers>>
    })
  )

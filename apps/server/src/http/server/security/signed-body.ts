import type { FastifyRequest } from 'fastify'

const bodies = new WeakMap<FastifyRequest, string>()

/** Keeps the JSON as it was sent, for calls whose senders sign it. */
export function keepSignedBody(request: FastifyRequest, body: string): void {
  if (request.headers['x-tradewright-signature'] !== undefined) bodies.set(request, body)
}

/** Empty where it was not signed. */
export const signedBody = (request: FastifyRequest): string => bodies.get(request) ?? ''

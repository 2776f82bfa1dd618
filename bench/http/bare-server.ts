import Fastify from 'fastify'

// The same framework, the same answer, and nothing else: the difference is the cost of our own code.
const user: unknown = JSON.parse(process.argv[2]!)
const app = Fastify()
app.get('/api/user', async () => user)
const address = await app.listen({ port: 0, host: '127.0.0.1' })
process.on('disconnect', () => process.exit(0))
process.send!(address)

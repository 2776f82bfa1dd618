import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { isPublicAddress, resolveName } from './address-guard.ts'

it('a name server that never answers ends a lookup without the system being asked', async () => {
  const mute = createSocket('udp4').bind(0, '127.0.0.1')
  onTestFinished(() => void mute.close())
  await once(mute, 'listening')
  const resolver = new Resolver({ timeout: 20, tries: 1 })
  resolver.setServers([`127.0.0.1:${mute.address().port}`])
  // The system would find it in its file of hosts.
  await expect(resolveName('ip6-localhost', resolver)).rejects.toMatchObject({ code: 'ETIMEOUT' })
})

it.each([
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.2.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:a00:1',
  '64:ff9b::a00:1',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'fd00:ec2::254',
  'ff02::1',
  '2001:db8::1',
  '2001::1',
  '2002:7f00:1::',
  'localhost',
  '',
])('does not let %j be called', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

it.each([
  '8.8.8.8',
  '1.1.1.1',
  '172.32.0.1',
  '100.128.0.1',
  '192.167.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001::5',
])('lets %s be called', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

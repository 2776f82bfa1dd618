import { expect, it } from 'vitest'
import { isPublicAddress } from './address-guard.ts'

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

"""What acts on the arm: torques, controls, disturbances, wrenches, payloads and stops."""

/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlBasicFunction;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlLambda;
import org.apache.calcite.sql.SqlOperandCountRange;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.type.FunctionSqlType;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** The functions of an array and of an expression of its items, {@code x -> x + 1}. */
final class OfItems {

    static final SqlFunction ARRAY_EXISTS = SqlBasicFunction.create(
            "ARRAY_EXISTS", ReturnTypes.BOOLEAN_NULLABLE, new Arguments(true), SqlFunctionCategory.SYSTEM);

    static final SqlFunction TRANSFORM =
            SqlBasicFunction.create("TRANSFORM", OfItems::array, new Arguments(false), SqlFunctionCategory.SYSTEM);

    private OfItems() {}

    private static RelDataType array(SqlOperatorBinding call) {
        RelDataTypeFactory types = call.getTypeFactory();
        RelDataType body = call.getOperandType(1);
        RelDataType item = body instanceof FunctionSqlType function ? function.getReturnType() : body;
        RelDataType array = types.createArrayType(types.createTypeWithNullability(item, true), -1);
        return types.createTypeWithNullability(array, call.getOperandType(0).isNullable());
    }

    /**
     * As Calcite checks EXISTS, which gives the parameter its type. Inside of another body an array is of any type
     * until the parameter of that one has its own, and then looked at again.
     *
     * @param isTest whether the body must be a condition
     */
    private record Arguments(boolean isTest) implements SqlOperandTypeChecker {

        @Override
        public boolean checkOperandTypes(SqlCallBinding call, boolean throwOnFailure) {
            RelDataType array = call.getOperandType(0);
            boolean isOfOne = call.operand(1) instanceof SqlLambda body
                    && body.getParameters().size() == 1;
            boolean isUnknown = array.getSqlTypeName() == SqlTypeName.ANY;
            if (isOfOne && isUnknown) {
                return true;
            }
            boolean isWellTyped = isOfOne
                    && SqlTypeUtil.isArray(array)
                    && (OperandTypes.EXISTS.checkOperandTypes(call, false) || !isTest);
            if (!isWellTyped && throwOnFailure) {
                throw call.newValidationSignatureError();
            }
            return isWellTyped;
        }

        @Override
        public SqlOperandCountRange getOperandCountRange() {
            return SqlOperandCountRanges.of(2);
        }

        @Override
        public String getAllowedSignatures(SqlOperator operator, String name) {
            return name + "(<ARRAY>, x -> " + (isTest ? "<BOOLEAN>" : "<ANY>") + ")";
        }
    }
}
